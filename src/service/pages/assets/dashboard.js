// The operator's dashboard. While the page is visible it calls the operator routes every ten seconds with the token
// that was typed in. The token is kept only in a variable, and all content is set as text.

const root = new URL('.', document.baseURI)
const EVERY_MS = 10_000
const TENANTS = 50
const ACTIONS = 20

const form = document.getElementById('access')
const state = document.getElementById('state')
const board = document.getElementById('board')

let token = null
let timer = null

form.addEventListener('submit', (event) => {
  event.preventDefault()
  token = document.getElementById('token').value.trim()
  document.getElementById('token').value = ''
  void refresh()
})
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && token !== null) void refresh()
})

class Refused extends Error {}

async function read(path) {
  const reply = await fetch(new URL(path, root), { headers: { authorization: `Bearer ${token}` }, cache: 'no-store' })
  if (reply.status === 401 || reply.status === 429)
    throw new Refused(`The service refused the token (${reply.status}).`)
  if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}.`)
  return await reply.json()
}

async function refresh() {
  clearTimeout(timer)
  try {
    const [overview, tenants, signups, actions] = await Promise.all([
      read('operator/v1/overview'),
      read(`operator/v1/tenants?limit=${TENANTS}`),
      read('operator/v1/signups?status=pending&limit=50'),
      read(`operator/v1/actions?limit=${ACTIONS}`),
    ])
    board.replaceChildren(...sections({ overview, tenants, signups, actions }))
    board.hidden = false
    form.hidden = true
    state.textContent = `As of ${moment(overview.at)}. Version ${overview.version}. Updated every 10 seconds.`
  } catch (error) {
    state.textContent = error.message
    if (error instanceof Refused) {
      token = null
      form.hidden = false
      board.hidden = true
      return
    }
  }
  if (!document.hidden) timer = setTimeout(refresh, EVERY_MS)
}

function sections({ overview, tenants, signups, actions }) {
  const { queues, stock, failures } = overview
  return [
    heading('Queues'),
    table(
      ['Kind', '#Waiting', '#Running', '#Longest wait'],
      queues.map((queue) => [queue.kind, queue.queued, queue.running, duration(queue.oldest_queued_seconds)]),
    ),
    heading('Totals'),
    figures(
      Object.entries(stock).map(([name, value]) => [words(name), name.endsWith('_bytes') ? bytes(value) : value]),
    ),
    heading('Requests for access'),
    table(
      ['Since', 'Company', 'E-mail', 'Request'],
      signups.signups.map((signup) => [
        moment(signup.created_at),
        signup.company_name,
        signup.contact_email,
        signup.request_id,
      ]),
    ),
    heading('Tenants'),
    table(
      ['Name', 'Tenant', '#Rows used', '#Of', 'Used', '#Clients', 'Since'],
      tenants.tenants.map((tenant) => [
        tenant.name,
        tenant.tenant_id,
        tenant.rows_used,
        tenant.subscription_rows ?? 'no limit',
        share(tenant.rows_used, tenant.subscription_rows),
        tenant.client_ids.length,
        moment(tenant.created_at),
      ]),
      tenants.next_cursor === null ? '' : `The ${TENANTS} newest. whatif operator tenants lists all of them.`,
    ),
    heading('Latest failed jobs'),
    table(
      ['When', 'Kind', 'Status', 'Error', 'Tenant', 'Job'],
      failures.map((job) => [
        moment(job.finished_at),
        job.kind,
        job.status,
        job.error_code ?? '',
        job.tenant_id,
        job.job_id,
      ]),
    ),
    heading('Latest operator actions'),
    table(
      ['When', 'What', 'About', '#Status', 'From'],
      actions.actions.map((action) => [
        moment(action.at),
        action.operation,
        action.subject ?? '',
        action.status ?? 'no answer',
        action.address,
      ]),
    ),
  ]
}

function element(name, content, className) {
  const made = document.createElement(name)
  if (className !== undefined) made.className = className
  if (content instanceof Node) made.append(content)
  else made.textContent = typeof content === 'number' ? content.toLocaleString('en') : content
  return made
}

const heading = (text) => element('h2', text)

function figures(entries) {
  const list = element('dl', '', 'figures')
  for (const [name, value] of entries) {
    const figure = document.createElement('div')
    figure.append(element('dt', name), element('dd', value))
    list.append(figure)
  }
  return list
}

/** Titles that begin with # head columns of figures. */
function table(titles, rows, note = '') {
  if (rows.length === 0) return element('p', 'None.')
  const isNumber = titles.map((title) => title.startsWith('#'))
  const made = document.createElement('table')
  const head = made.createTHead().insertRow()
  for (const [i, title] of titles.entries()) {
    const cell = element('th', title.replace('#', ''), isNumber[i] ? 'number' : undefined)
    cell.scope = 'col'
    head.append(cell)
  }
  const body = made.createTBody()
  for (const row of rows) {
    const line = body.insertRow()
    for (const [i, cell] of row.entries()) {
      const made = element('td', cell, isNumber[i] ? 'number' : undefined)
      // Shown if the screen is too narrow for columns.
      made.dataset.title = titles[i].replace('#', '')
      line.append(made)
    }
  }
  const box = element('div', made, 'wide')
  box.tabIndex = 0
  if (note !== '') box.append(element('p', note))
  return box
}

/** How much of a subscription is used; empty without a limit. */
function share(used, of) {
  if (of === null || of === undefined || of === 0) return ''
  const meter = document.createElement('meter')
  meter.max = of
  meter.high = of * 0.9
  meter.value = used
  meter.textContent = `${Math.round((100 * used) / of)} %`
  meter.title = meter.textContent
  return meter
}

const words = (name) => name.replaceAll('_', ' ').replace(/ bytes$/, '')
const moment = (time) => (time ?? '').slice(0, 19).replace('T', ' ')

function bytes(count) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3))
  return `${(count / 1000 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[power]}`
}

function duration(seconds) {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
