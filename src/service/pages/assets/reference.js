// Shows the OpenAPI document by swagger-ui. Everything comes from the origin of the page and goes there: the page may be
// open under another name of the service than the one in the document (localhost, a tunnel), so calls go where it came from.

const root = new URL('..', document.baseURI)

async function show() {
  const reply = await fetch(new URL('openapi.json', root))
  if (!reply.ok) throw new Error(`openapi.json was answered with ${reply.status}.`)
  const spec = await reply.json()
  spec.servers = [{ url: root.href.replace(/\/$/, '') }]
  window.SwaggerUIBundle({
    spec,
    domNode: document.getElementById('reference'),
    presets: [window.SwaggerUIBundle.presets.apis],
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    // Its default is a validator of others, asked with the address of the document.
    validatorUrl: null,
  })
}

const dark = window.matchMedia('(prefers-color-scheme: dark)')
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followScheme)
followScheme()

show().catch((error) => {
  const message = document.createElement('p')
  message.setAttribute('role', 'alert')
  message.textContent = `The reference cannot be shown: ${error.message}`
  document.getElementById('reference').replaceWith(message)
})
