// Loaded into processes of the bench with `node --import`, so that they can be written in TypeScript.
import { register } from 'node:module'

register('../typescript-hook.js', import.meta.url)
