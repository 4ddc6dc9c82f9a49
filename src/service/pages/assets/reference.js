// Shows the OpenAPI document with swagger-ui. All requests stay on the page's origin: the page may be open under
// another name of the service than the one in the document (localhost, a tunnel).

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
    // The default is an external validator, which would get the document's address.
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
