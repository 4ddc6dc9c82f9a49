import { type ComponentChild, render } from 'preact'
import type { ExploredDataset } from '../wire/messages.ts'
import { call, connect } from './backend.ts'
import { Page } from './explored-page.tsx'
import { followNewTokens, localBackend } from './local-backend.ts'

function Fault({ message }: { readonly message: string }) {
  return (
    <main>
      <p class="fault">{message}</p>
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  )
}

const root = document.getElementById('page') as HTMLElement

/** In place of the words that the page loads. */
function show(page: ComponentChild): void {
  root.textContent = ''
  render(page, root)
}

followNewTokens()
connect(localBackend(location.hash))
call<ExploredDataset>('/dataset').then(
  (dataset) => show(<Page dataset={dataset} />),
  (error: Error) => show(<Fault message={error.message} />),
)
