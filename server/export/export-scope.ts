import 'server-only'
import { createHmac } from 'node:crypto'
import type { ExportFormat } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import type { Matching } from '@/lib/contract/triage'
import { deriveKey } from '@/server/secrets/derive-key'

export type ScopeOf = (target: { list: LeadList; matching?: Matching | undefined; format: ExportFormat }) => string

/**
 * Names a list and filter without telling what is searched for, so that "new since my last export" finds the exports of the
 * same. The order of choices does not matter. Copied addresses are counted apart from files.
 */
export function createScopes(dataKey: Uint8Array): ScopeOf {
  const key = deriveKey(dataKey, 'export scopes')
  return ({ list, matching, format }) => {
    const what = [list, format === 'emails' ? 'emails' : 'file', matching ? canonical(matching) : 'named']
    return createHmac('sha256', key).update(JSON.stringify(what)).digest('base64url')
  }
}

function canonical(matching: Matching): unknown[] {
  return Object.entries(matching)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}
