import 'server-only'
import { hash, randomUUID } from 'node:crypto'
import type { AskedQuestionItem, DeclarationOfInterestItem } from '@/lib/contract/lead'
import type { PagePart } from '@/lib/contract/list-query'
import { type Basis, createRecent, createShared } from './shared'

type Item = AskedQuestionItem | DeclarationOfInterestItem

/** A page of a list as all see it who see the same leads and ask for the same. */
export type SharedPage = {
  readonly items: readonly Item[]
  /** The same items in JSON. */
  readonly texts: readonly string[]
  /** How many leads match in all. */
  readonly total: number
  /** Names this content, and no other of this process or any before it. */
  readonly etag: string
}

type MadePage = Pick<SharedPage, 'items' | 'total'>

export type SharedPages = {
  /** The page under this key (who sees what, and the query), made anew only when its basis is another one. */
  of: (key: string, basis: Basis, make: () => Promise<MadePage>) => Promise<SharedPage>
  /** The page by what is other than in the one with this etag; null when that is not known any more. */
  partsSince: (page: SharedPage, known: string) => readonly PagePart<string>[] | null
}

const MOST_PAGES = 200
const MOST_KNOWN = 2_000

/**
 * Pages made once for everybody: a thousand browsers that hear of the same new lead cost one selection and one text. Of
 * older pages only what names each item is kept, so that a browser which has one is sent no more than what is new.
 */
export function createSharedPages(): SharedPages {
  const pages = createShared<Promise<SharedPage>>(MOST_PAGES)
  const known = createRecent<readonly string[]>(MOST_KNOWN)
  const parts = new WeakMap<SharedPage, Map<string, readonly PagePart<string>[]>>()
  const process = randomUUID().slice(0, 8)
  let made = 0
  const share = ({ items, total }: MadePage): SharedPage => {
    const texts = items.map((item) => JSON.stringify(item))
    const etag = `${process}-${++made}`
    known.set(etag, texts.map(nameOf))
    return { items, texts, total, etag }
  }
  return {
    of: (key, basis, make) =>
      pages.of(key, basis, () => {
        const page = make().then(share)
        page.catch(() => pages.drop(key))
        return page
      }),
    partsSince: (page, etag) => {
      const before = known.get(etag)
      if (before === undefined) return null
      const written = parts.get(page) ?? new Map<string, readonly PagePart<string>[]>()
      parts.set(page, written)
      const found = written.get(etag) ?? partsOf(page.texts, before)
      written.set(etag, found)
      return found
    },
  }
}

function nameOf(text: string): string {
  return hash('sha1', text, 'base64').slice(0, 16)
}

/** Each item that was not there before, and each stretch of those that were: the first one's place, and how many. */
function partsOf(texts: readonly string[], before: readonly string[]): PagePart<string>[] {
  const places = new Map(before.map((name, place) => [name, place]))
  const parts: PagePart<string>[] = []
  for (const text of texts) {
    const place = places.get(nameOf(text))
    const last = parts.at(-1)
    if (place === undefined) parts.push(text)
    else if (typeof last === 'object' && last[0] + last[1] === place) parts[parts.length - 1] = [last[0], last[1] + 1]
    else parts.push([place, 1])
  }
  return parts
}
