import { createHash } from 'node:crypto'
import type { LeadItem } from '@/lib/api/leads'
import type { PagePart } from '@/lib/contract/list-query'
import { createLruCache } from '@/server/base/lru-cache'
import { hasAllNames } from './lead-items'
import { type Basis, createTableCache, hashText } from './table-cache'

/** `extraFields` are further fields of the answer, such as how many newer leads wait. */
export type PageContent = { items: readonly LeadItem[]; total: number; extraFields?: object }
export type SharedPage = Awaited<ReturnType<ReturnType<typeof createSharedPages>['getOrMake']>>

const MAX_PAGES = 400
const MAX_SHARED_ITEMS = 100
const MAX_KNOWN_ETAGS = 2_000

/** A thousand browsers that hear of a new lead cost one selection. Of older pages only the items' digests stay. */
export function createSharedPages(getVersion: () => number) {
  const digestsByEtag = createLruCache<{ key: string; digests: readonly string[] }>(MAX_KNOWN_ETAGS)

  const createPage = (key: string, { items, total, extraFields = {} }: PageContent) => {
    const serialized = items.map(serializeItem)
    const digests = serialized.map(({ digest }) => digest)
    // The etag is a hash of the content and no counter, so it does not tell how often others ask.
    const etag = hashText(JSON.stringify([key, total, digests, extraFields])).slice(0, 22)
    if (isShort(items)) digestsByEtag.set(etag, { key, digests })
    const differences = new Map<string, readonly PagePart<string>[]>()
    let bytes: Buffer | null = null
    return {
      items,
      total,
      extraFields,
      etag,
      key,
      /** Returns the items in JSON, encoded once for all who get the whole page. */
      encodeItems: () => (bytes ??= Buffer.from(serialized.map(({ text }) => text).join(','))),
      /** Returns the difference to the page with this etag; null if that page is unknown or belongs to another key. */
      findDifference: (knownEtag: string) => {
        const before = digestsByEtag.get(knownEtag)
        if (before?.key !== key) return null
        const cached = differences.get(knownEtag)
        if (cached) return cached
        const indexByDigest = new Map(before.digests.map((digest, index) => [digest, index]))
        const parts: (string | [start: number, count: number])[] = []
        for (const { text, digest } of serialized) {
          const index = indexByDigest.get(digest)
          const last = parts.at(-1)
          if (index === undefined) parts.push(text)
          else if (typeof last === 'object' && last[0] + last[1] === index) last[1] += 1
          else parts.push([index, 1])
        }
        differences.set(knownEtag, parts)
        return parts
      },
    }
  }

  const pages = createTableCache<Promise<ReturnType<typeof createPage>>>(MAX_PAGES, getVersion)
  return {
    getOrMake: (key: string, basis: Basis, make: () => Promise<PageContent>) =>
      pages.getOrMake(key, basis, () => {
        const page = make().then((content) => createPage(hashText(key), content))
        const drop = () => pages.drop(key, basis)
        page.then(({ items }) => (isShort(items) && items.every(hasAllNames)) || drop(), drop)
        return page
      }),
  }
}

function isShort(items: readonly LeadItem[]) {
  return items.length <= MAX_SHARED_ITEMS
}

type SerializedItem = { text: string; digest: string }

/** Serializes an item and hashes it, once however many pages have it. */
function serializeItem(item: LeadItem) {
  const cached = serializedItems.get(item)
  if (cached) return cached
  const text = JSON.stringify(item)
  const serialized = { text, digest: createHash('sha1').update(text).digest('base64').slice(0, 16) }
  serializedItems.set(item, serialized)
  return serialized
}

const serializedItems = new WeakMap<LeadItem, SerializedItem>()
