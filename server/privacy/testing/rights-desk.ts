import 'server-only'
import { randomBytes } from 'node:crypto'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import type { Admin } from '@/server/access/viewer'
import { createExportLog, createExportScopes } from '@/server/export/export-log'
import { createInterestNumbers } from '@/server/interest/numbers'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { testServices } from '@/server/testing/services'
import { protectPerson } from '../protect'

export async function openRightsDesk(...database: Parameters<typeof openTestDesk>) {
  const desk = await openTestDesk(...database)
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
    /** Protects the person of a lead, by the lead’s e-mail unless `given` says otherwise, so that only `people` are shown who it is. */
    protect: (by: Admin, lead: AskedQuestion | DeclarationOfInterest, people: string[], given: Given = {}) => {
      const { email } = 'user' in lead ? lead.user : lead.sender
      const emails = email === null ? [] : [email]
      return protectPerson(parts, by, {
        contact: desk.contactOf(lead),
        people,
        emails,
        phones: [],
        reason: 'Beslut 2026',
        ...given,
      })
    },
  }
}

type Given = { emails?: string[]; phones?: string[]; reason?: string }
