import { createHmac } from 'node:crypto'
import type { ExportFormat } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import type { Matching } from '@/lib/contract/list-query'
import { type DataKeys, deriveKey } from '@/server/base/seal'

type ScopeTarget = { list: LeadList; matching?: Matching | null | undefined; format: ExportFormat }

/** Hashes list, filter and kind of file by each key, the current one first. The order of choices does not count. */
export function hashScope([key, ...previousKeys]: DataKeys, { list, matching, format }: ScopeTarget) {
  const filter = Object.entries(matching ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  const target = JSON.stringify([list, format === 'emails' ? 'emails' : 'file', matching ? filter : 'named'])
  const hash = (dataKey: Uint8Array) =>
    createHmac('sha256', deriveKey(dataKey, 'export scopes')).update(target).digest('base64url')
  return [hash(key), ...previousKeys.map(hash)] as const
}
