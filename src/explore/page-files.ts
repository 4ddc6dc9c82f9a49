/** The page as it is bundled from `page/`. */
export { explorePage } from '../generated/explore-page.ts'
