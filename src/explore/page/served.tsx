import { render } from 'preact'
import { useState } from 'preact/hooks'
import type { ExploredDataset } from '../wire/messages.ts'
import { connect } from './backend.ts'
import { Page } from './explored-page.tsx'
import { type Request, requestWith, servedBackend } from './served-backend.ts'

/** Where the service lies: this page is `explore` in it. */
const SERVICE = new URL('.', document.baseURI)

interface Listed {
  readonly dataset_id: string
  readonly display_name?: string
}

/** The page of a service: a tenant signs in, chooses a dataset and explores it. */
function Served() {
  const [request, setRequest] = useState<Request | null>(null)
  const [datasets, setDatasets] = useState<readonly Listed[] | null>(null)
  const [explored, setExplored] = useState<ExploredDataset | null>(null)
  const [fault, setFault] = useState('')
  const failed = (error: Error) => setFault(error.message)
  const explore = async (datasetId: string, by: Request) => {
    const { backend, dataset } = await servedBackend(datasetId, by)
    connect(backend)
    setExplored(dataset)
  }
  const signIn = async (token: string) => {
    setFault('')
    const by = requestWith(token, SERVICE)
    const { datasets: listed } = (await by('GET', 'v1/datasets?limit=100')) as { datasets: readonly Listed[] }
    setRequest(() => by)
    setDatasets(listed)
    const named = new URLSearchParams(location.hash.slice(1)).get('dataset')
    if (named !== null) await explore(named, by)
  }
  if (explored !== null) return <Page dataset={explored} />
  return (
    <main class="entry">
      <h1>Explore</h1>
      {request === null || datasets === null ? (
        <SignIn signIn={(token) => void signIn(token).catch(failed)} />
      ) : datasets.length === 0 ? (
        <p>There is no trained dataset. Upload one, then load this page again.</p>
      ) : (
        <ul>
          {datasets.map(({ dataset_id: id, display_name: name = id }) => (
            <li key={id}>
              <button type="button" onClick={() => void explore(id, request).catch(failed)}>
                <bdi>{name}</bdi>
              </button>{' '}
              <span class="note">{id}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="fault" role="alert">
        {fault}
      </p>
    </main>
  )
}

/** The token is kept in a variable of this page, and nowhere else. */
function SignIn({ signIn }: { readonly signIn: (token: string) => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const field = event.currentTarget.elements.namedItem('token') as HTMLInputElement
        signIn(field.value.trim())
        field.value = ''
      }}
    >
      <p>Move a share, a range or a mean, and see what the answers of your data do. Nothing is generated or billed.</p>
      <p class="tools">
        <label>
          Access token <input name="token" type="password" autocomplete="off" spellcheck={false} required />
        </label>
        <button type="submit" class="main">
          Sign in
        </button>
      </p>
      <p class="note">
        The identity provider of the service gives a client its token; <a href="docs">the guide</a> says how. The token
        stays in this page: it is forgotten when you close or reload it.
      </p>
    </form>
  )
}

const root = document.getElementById('page') as HTMLElement
root.textContent = ''
render(<Served />, root)
