import 'server-only'
import { randomBytes } from 'node:crypto'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import type { Admin } from '@/server/access/viewer'
import { createExportLog, createExportScopes } from '@/server/export/export-log'
import { createInterestNumbers } from '@/server/interest/numbers'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { testServices } from '@/server/testing/services'
import { protectPerson } from '../protect'

export async function openRightsDesk() {
  const desk = await openTestDesk()
  const { connect, now, activity, seal } = desk.parts
  const key = randomBytes(32)
  const parts = testServices({
    ...desk.parts,
    exportLog: createExportLog({ connect, now, activity, seal }),
    exportScopes: createExportScopes({ current: key, previous: null }),
    dataKeys: { current: key, previous: null },
    interest: createInterestNumbers(),
    logger: { error: () => {} },
  })
  return {
    ...desk,
    parts,
    /** Protects the person of a lead, by the lead's e-mail unless addresses are given, so that only `people` are shown who it is. */
    protect: (by: Admin, lead: AskedQuestion | DeclarationOfInterest, people: string[], given: Addresses = {}) => {
      const { email } = 'user' in lead ? lead.user : lead.sender
      const addresses = { emails: email === null ? [] : [email], phones: [], ...given }
      return protectPerson(parts, by, { contact: desk.contactOf(lead), people, reason: 'Beslut 2026', ...addresses })
    },
  }
}

type Addresses = { emails?: string[]; phones?: string[] }
