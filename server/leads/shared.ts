import 'server-only'
import { createHash } from 'node:crypto'
import type { AskedQuestionItem, DeclarationOfInterestItem } from '@/lib/contract/lead'
import type { PagePart } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { createRecent, type Recent } from '@/server/recent'

/**
 * What an answer is made from; `triage` is the number of changes that the triage board has seen, `beside` the other list, where
 * something of it is told.
 */
export type Basis = { table: LeadTable; triage: number; beside?: LeadTable | null }

export type Shared<Value> = {
  /** What `make` gives, made anew only when the basis under this key is another one. */
  of: (key: string, basis: Basis, make: () => Value) => Value
  drop: (key: string, basis: Basis) => void
}

/**
 * What is worked out once for all who see the same and ask for the same, until leads or triage are others. Nothing of it
 * outlives its table.
 */
export function createShared<Value>(most: number): Shared<Value> {
  const byTable = new WeakMap<LeadTable, Recent<{ triage: number; beside: number; value: Value }>>()
  return {
    of: (key, { table, triage, ...basis }, make) => {
      const beside = basis.beside ? numberOf(basis.beside) : 0
      const recent = byTable.get(table) ?? createRecent(most)
      byTable.set(table, recent)
      const short = digestOf(key)
      const found = recent.get(short)
      if (found?.triage === triage && found.beside === beside) return found.value
      const value = make()
      recent.set(short, { triage, beside, value })
      return value
    },
    drop: (key, { table }) => byTable.get(table)?.drop(digestOf(key)),
  }
}

/** Tells a table from all others, without keeping it. */
function numberOf(table: LeadTable): number {
  const known = numbers.get(table) ?? ++tables
  numbers.set(table, known)
  return known
}

const numbers = new WeakMap<LeadTable, number>()
let tables = 0

/** Stands for a text in memory: a filter may be as long as a body. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

type Item = AskedQuestionItem | DeclarationOfInterestItem

/** A page of a list as all see it who see the same leads and ask for the same. */
export type SharedPage = {
  readonly items: readonly Item[]
  /** The same items in JSON. */
  readonly texts: readonly string[]
  /** How many leads match in all. */
  readonly total: number
  /** Names what the page holds, and tells nobody how much others ask for. */
  readonly etag: string
  /** Stands for who sees what, and the query. */
  readonly key: string
}

type MadePage = Pick<SharedPage, 'items' | 'total'>

export type SharedPages = {
  /** The page under this key, made anew only when its basis is another one. */
  of: (key: string, basis: Basis, make: () => Promise<MadePage>) => Promise<SharedPage>
  /**
   * The page by what is other than in the one with this etag; null when that is not known any more, or was made for others:
   * where something stands in what they see is theirs alone to know.
   */
  partsSince: (page: SharedPage, known: string) => readonly PagePart<string>[] | null
}

const MOST_PAGES = 400
/** No screen asks for longer ones. */
const MOST_SHARED_ROWS = 100
const MOST_KNOWN = 2_000

/**
 * Pages made once for everybody: a thousand browsers that hear of the same new lead cost one selection and one text. Of
 * older pages only what names each item is kept, so that a browser which has one is sent no more than what is new.
 */
export function createSharedPages(): SharedPages {
  const pages = createShared<Promise<SharedPage>>(MOST_PAGES)
  const known = createRecent<{ key: string; names: readonly string[] }>(MOST_KNOWN)
  const parts = new WeakMap<SharedPage, Map<string, readonly PagePart<string>[]>>()
  const write = (key: string, { items, total }: MadePage): SharedPage => {
    const texts = items.map((item) => JSON.stringify(item))
    const names = texts.map(nameOf)
    const etag = digestOf(JSON.stringify([key, total, names])).slice(0, 22)
    if (isShort(items)) known.set(etag, { key, names })
    return { items, texts, total, etag, key }
  }
  return {
    of: (key, basis, make) =>
      pages.of(key, basis, () => {
        const page = make().then((made) => write(digestOf(key), made))
        const drop = () => pages.drop(key, basis)
        page.then(({ items }) => (isShort(items) && items.every(isWhole)) || drop(), drop)
        return page
      }),
    partsSince: (page, etag) => {
      const before = known.get(etag)
      if (before?.key !== page.key) return null
      const written = parts.get(page) ?? new Map<string, readonly PagePart<string>[]>()
      parts.set(page, written)
      const found = written.get(etag) ?? partsOf(page.texts, before.names)
      written.set(etag, found)
      return found
    },
  }
}

function isShort(items: readonly Item[]): boolean {
  return items.length <= MOST_SHARED_ROWS
}

/** Not so while a name cannot be read: whoever asks next may be luckier. */
function isWhole({ triage: { assignee }, attempts: { last } }: Item): boolean {
  return assignee?.name !== '' && last?.by?.name !== ''
}

function nameOf(text: string): string {
  return createHash('sha1').update(text).digest('base64').slice(0, 16)
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
