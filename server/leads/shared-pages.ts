import { createHash } from 'node:crypto'
import type { LeadItem } from '@/lib/api/leads'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'
import { choosePrivateHeaders } from '@/server/base/private-headers'
import { hashText } from './hash-text'
import { type SourceTables, createTableCache } from './table-cache'

/** `extraFields` are further fields of the answer, such as how many newer leads wait. */
type PageContent = { items: readonly LeadItem[]; total: number; extraFields?: object }
type SharedPage = ReturnType<typeof createPage>
/** Of a page that a browser may still have, key and digests of the items are enough to find the difference. */
type KnownPage = { keyHash: string; digests: readonly string[] }

const MAX_PAGES = 400
const MAX_SHARED_ITEMS = 100
const MAX_KNOWN_ETAGS = 2_000

/** Shares pages among viewers, so that a thousand browsers that hear of a new lead cost one selection. */
export function createSharedPages(getVersion: () => number) {
  const knownPages = createLruCache<KnownPage>(MAX_KNOWN_ETAGS)
  const pages = createTableCache<Promise<SharedPage>>(MAX_PAGES, getVersion)
  return {
    getOrMake: (key: string, tables: SourceTables, make: () => Promise<PageContent>) =>
      pages.getOrMake(key, tables, () => {
        const page = make().then((content) => createPage(hashText(key), content, knownPages))
        const drop = () => pages.drop(key, tables)
        // Neither a long page nor a failure is cached.
        page.then(({ items }) => isShort(items) || drop(), drop)
        return page
      }),
  }
}

function createPage(keyHash: string, { items, total, extraFields = {} }: PageContent, knownPages: LruCache<KnownPage>) {
  const serializedItems = items.map(serializeItem)
  const digests = serializedItems.map(({ digest }) => digest)
  // The etag is a hash of the content and no counter, so it does not tell how often others ask.
  const etag = hashText(JSON.stringify([keyHash, total, digests, extraFields])).slice(0, 22)
  if (isShort(items)) knownPages.set(etag, { keyHash, digests })
  let bytes: Buffer | null = null
  return {
    items,
    total,
    extraFields,
    etag,
    keyHash,
    /** Returns the items in JSON, encoded once for all who get the whole page. */
    encodeItems: () => (bytes ??= Buffer.from(serializedItems.map(({ text }) => text).join(','))),
    /** Returns the difference to the page with this etag; null if that page is unknown or belongs to another key. */
    findDifference: (knownEtag: string) => {
      const knownPage = knownPages.get(knownEtag)
      if (knownPage?.keyHash !== keyHash) return null
      const indexByDigest = new Map(knownPage.digests.map((digest, index) => [digest, index]))
      const parts: (string | [start: number, count: number])[] = []
      for (const { text, digest } of serializedItems) {
        const index = indexByDigest.get(digest)
        const lastPart = parts.at(-1)
        if (index === undefined) parts.push(text)
        else if (typeof lastPart === 'object' && lastPart[0] + lastPart[1] === index) lastPart[1] += 1
        else parts.push([index, 1])
      }
      return parts
    },
  }
}

function isShort(items: readonly LeadItem[]) {
  return items.length <= MAX_SHARED_ITEMS
}

/** Serializes an item and hashes it, once however many pages have it. */
function serializeItem(item: LeadItem) {
  const cached = cachedItems.get(item)
  if (cached) return cached
  const text = JSON.stringify(item)
  const serialized = { text, digest: createHash('sha1').update(text).digest('base64').slice(0, 16) }
  cachedItems.set(item, serialized)
  return serialized
}

const cachedItems = new WeakMap<LeadItem, { text: string; digest: string }>()

/** The answer has the items in `field`. `position` has the place of the lead that the request named, if any. */
export type PageResult = {
  field: string
  page: SharedPage
  snapshot: SnapshotInfo
  position: { place?: number | null }
}

export function toPageAnswer({ field, page, snapshot, position }: PageResult) {
  const { items, total, etag, extraFields } = page
  return { [field]: items, total, snapshot, etag, ...extraFields, ...position }
}

/** Responds with the difference alone if the page with the known etag is remembered. */
export function toPageResponse({ field, page, snapshot, position }: PageResult, knownEtag?: string) {
  const difference = knownEtag === undefined ? null : page.findDifference(knownEtag)
  const etagField = knownEtag !== undefined && { etag: page.etag }
  const fields = { total: page.total, ...page.extraFields, snapshot, ...etagField, ...position }
  const end = `],${JSON.stringify(fields).slice(1)}`
  const headers = { 'content-type': 'application/json' }
  if (difference === null) {
    const whole = [Buffer.from(`{"${field}":[`), page.encodeItems(), Buffer.from(end)]
    return new Response(Buffer.concat(whole), { headers })
  }
  const texts = difference.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
  const text = `{"parts":[${texts.join(',')}${end}`
  return new Response(text, { headers: { ...headers, ...choosePrivateHeaders(text) } })
}
