import 'server-only'
import { createHmac } from 'node:crypto'
import type { ExportFormat } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import type { Matching } from '@/lib/contract/list-query'
import { type DataKeys, deriveKey } from '@/server/seal'

/** A list and filter as an export was asked for. */
type ScopeTarget = { list: LeadList; matching?: Matching | null | undefined; format: ExportFormat }

export type Scopes = {
  /** The name it has now. */
  of: (target: ScopeTarget) => string
  /** That one, and the name from before the key was changed while the key before is there. */
  known: (target: ScopeTarget) => string[]
}

/**
 * Names a list and filter without revealing what is searched for, so that "new since my last export" finds the exports of
 * the same. The order of choices does not matter. Copied addresses are counted apart from files.
 */
export function createScopes({ current, previous }: DataKeys): Scopes {
  const keys = [current, ...(previous === null ? [] : [previous])].map((key) => deriveKey(key, 'export scopes'))
  const known = ({ list, matching, format }: ScopeTarget) => {
    const what = [list, format === 'emails' ? 'emails' : 'file', matching ? canonical(matching) : 'named']
    return keys.map((key) => createHmac('sha256', key).update(JSON.stringify(what)).digest('base64url'))
  }
  return { of: (target) => known(target)[0] ?? '', known }
}

function canonical(matching: Matching): unknown[] {
  return Object.entries(matching)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}
