import 'server-only'
import { createHash } from 'node:crypto'
import type { AskedQuestionItem, DeclarationOfInterestItem } from '@/lib/contract/lead'
import type { PagePart } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'

/** `triage`: the number of changes the board has seen; `otherList`: when the answer depends on it. */
export type Basis = { table: LeadTable; triageVersion: number; otherList?: LeadTable | null }

/** Computed once for all who see the same, until leads or triage change; nothing outlives its table. */
export function createTableCache<Value>(maxEntries: number) {
  const byTable = new WeakMap<LeadTable, LruCache<{ triage: number; other: WeakRef<LeadTable>; value: Value }>>()
  return {
    getOrMake: (key: string, { table, triageVersion: triage, otherList }: Basis, make: () => Value): Value => {
      const other = otherList ?? table
      const recent = byTable.get(table) ?? createLruCache(maxEntries)
      byTable.set(table, recent)
      const digest = hashText(key)
      const found = recent.get(digest)
      if (found?.triage === triage && found.other.deref() === other) return found.value
      const value = make()
      recent.set(digest, { triage, other: new WeakRef(other), value })
      return value
    },
    drop: (key: string, { table }: Basis): void => byTable.get(table)?.delete(hashText(key)),
  }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

export type LeadItem = AskedQuestionItem | DeclarationOfInterestItem

export type SharedPage = {
  readonly items: readonly LeadItem[]
  readonly total: number
  /** What else the page says. */
  readonly more?: object
  /** Names the page's content without revealing how much others ask for. */
  readonly etag: string
  /** The digest of what was asked for. */
  readonly key: string
  /** The items in JSON, encoded once for all who get the whole page. */
  readonly encodeItems: () => Buffer
  /** The difference to the page with this etag; null when unknown or made for others. */
  readonly findDifference: (etag: string) => readonly PagePart<string>[] | null
}

export type PageContent = Pick<SharedPage, 'items' | 'total' | 'more'>

const MAX_PAGES = 400
const MAX_SHARED_ROWS = 100
const MAX_CACHED_NAMES = 2_000

/** A thousand browsers that hear of a new lead cost one selection; of older pages only their items' names are known. */
export function createSharedPages() {
  const pages = createTableCache<Promise<SharedPage>>(MAX_PAGES)
  const digestsByEtag = createLruCache<{ key: string; names: readonly string[] }>(MAX_CACHED_NAMES)
  const write = (key: string, { items, total, more = {} }: PageContent): SharedPage => {
    const written = items.map(serializeItem)
    const names = written.map(({ digest: name }) => name)
    const etag = hashText(JSON.stringify([key, total, names, more])).slice(0, 22)
    if (isShort(items)) digestsByEtag.set(etag, { key, names })
    const partsByEtag = new Map<string, readonly PagePart<string>[]>()
    const partsSince = (since: string) => {
      const before = digestsByEtag.get(since)
      if (before?.key !== key) return null
      const known = partsByEtag.get(since)
      if (known) return known
      const places = new Map(before.names.map((name, place) => [name, place]))
      const parts: (string | [place: number, count: number])[] = []
      for (const { text, digest: name } of written) {
        const place = places.get(name)
        const last = parts.at(-1)
        if (place === undefined) parts.push(text)
        else if (typeof last === 'object' && last[0] + last[1] === place) last[1] += 1
        else parts.push([place, 1])
      }
      partsByEtag.set(since, parts)
      return parts
    }
    let bytes: Buffer | null = null
    const encode = () => (bytes ??= Buffer.from(written.map(({ text }) => text).join(',')))
    return { items, total, more, etag, key, encodeItems: encode, findDifference: partsSince }
  }
  return {
    getOrMake: (key: string, basis: Basis, make: () => Promise<PageContent>): Promise<SharedPage> =>
      pages.getOrMake(key, basis, () => {
        const page = make().then((made) => write(hashText(key), made))
        const drop = () => pages.drop(key, basis)
        page.then(({ items }) => (isShort(items) && items.every(hasAllNames)) || drop(), drop)
        return page
      }),
  }
}

function isShort(items: readonly LeadItem[]): boolean {
  return items.length <= MAX_SHARED_ROWS
}

/** A name that cannot be read now may be readable next time. */
export function hasAllNames({ triage: { assignee }, attempts: { last } }: LeadItem): boolean {
  return assignee?.name !== '' && last?.by?.name !== ''
}

/** An item in JSON and the name of exactly this content, made once however many pages show the item. */
function serializeItem(item: LeadItem): { text: string; digest: string } {
  const known = writtenItems.get(item)
  if (known) return known
  const text = JSON.stringify(item)
  const written = { text, name: createHash('sha1').update(text).digest('base64').slice(0, 16) }
  writtenItems.set(item, written)
  return written
}

const writtenItems = new WeakMap<LeadItem, { text: string; name: string }>()
