import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { ErasureAnswer, ErasureRequest } from '@/lib/contract/rights'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import type { ContactIds } from '@/server/contacts/contact-id'
import type { FoundLead } from '@/server/contacts/get-contact'
import type { Db } from '@/server/db/database'
import { exports } from '@/server/db/schema'
import type { Announcer } from '@/server/events/announcer'
import type { LeadParts } from '@/server/leads/select-leads'
import { deleteAdded } from '@/server/retention/purge'
import type { Seal } from '@/server/seal'
import { chosenLeads } from './contact-rights'
import { eraseNamingViews } from './naming-texts'

type Parts = CommandParts &
  LeadParts & {
    contactIds: ContactIds
    announcer: Pick<Announcer, 'triage' | 'lead'>
    seal: Seal
    now: () => number
  }

/** What Intag added (GDPR, article 17). The log stays, with ids alone: it answers for who did what (article 5.2). */
export async function eraseData(
  parts: Parts,
  viewer: Allowed<'admin'>,
  { id: contact, leads }: ErasureRequest & { id: string },
): Promise<ErasureAnswer> {
  const found = await chosenLeads(parts, viewer, contact, leads)
  const refs = found.map(({ kind, id }) => ({ kind, id }))
  const answer = await command(parts, viewer, 'admin', async (tx, log) => {
    const erased = { leads: refs.length, triage: 0, attempts: 0, notes: 0, exports: 0, views: 0 }
    for (const kind of LEAD_KINDS) {
      const ids = refs.flatMap((lead) => (lead.kind === kind ? [lead.id] : []))
      if (ids.length === 0) continue
      const added = await deleteAdded(tx, kind, ids, parts.now())
      erased.triage += added.triage
      erased.attempts += added.attempts
      erased.notes += added.notes
      erased.exports += await eraseFromExports(tx, kind, ids)
    }
    erased.views = await eraseNamingViews(tx, parts.seal, found)
    await log(...refs.map((lead) => ({ action: 'data-erased' as const, lead })))
    return erased
  })
  announce(parts, viewer, found)
  return answer
}

/** The exports stay in the log with their number of leads, but not which. */
async function eraseFromExports(tx: Db, kind: LeadKind, ids: readonly string[]): Promise<number> {
  const gone = sql`array(select json_array_elements_text(${JSON.stringify(ids)}::json))`
  const left = sql`array(select id from unnest(${exports.leadIds}) with ordinality as held(id, place)
    where id <> all(${gone}) order by place)`
  const holding = and(eq(exports.list, LISTS_BY_KIND[kind].list), sql`${exports.leadIds} && ${gone}`)
  return (await tx.update(exports).set({ leadIds: left }).where(holding).returning({ id: exports.id })).length
}

function announce({ announcer }: Parts, viewer: Allowed<'admin'>, found: readonly FoundLead[]): void {
  for (const kind of LEAD_KINDS) {
    const its = found.filter((lead) => lead.kind === kind)
    const schools = its.map(({ table, row }) => table.schoolIds[table.school[row] ?? -1] ?? '')
    if (its.length > 0) announcer.triage(kind, viewer.id, new Set(schools))
    its.forEach(({ id }, at) => announcer.lead({ kind, id }, schools[at] ?? '', 'notes'))
  }
}
