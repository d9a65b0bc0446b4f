import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import type { Admin } from '@/server/access/viewer'
import { createExportServices } from '@/server/export/services'
import { createInterestServices } from '@/server/interest/services'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { testServices } from '@/server/testing/services'
import { protectPerson } from '../protections'

/** A desk with exports, interest and protections. */
export async function openRightsDesk(...database: Parameters<typeof openTestDesk>) {
  const desk = await openTestDesk(...database)
  const upper = { ...createExportServices(desk.parts), ...createInterestServices() }
  const parts = testServices({ ...desk.parts, ...upper, logger: { error: () => {} } })
  return {
    ...desk,
    parts,
    /** Protects the person of a lead, by its e-mail unless `given` says otherwise; `people` are shown who it is. */
    protect: (by: Admin, lead: AskedQuestion | DeclarationOfInterest, people: string[], given: Given = {}) => {
      const { email } = 'user' in lead ? lead.user : lead.sender
      const usual = { emails: email === null ? [] : [email], phones: [], reason: 'Beslut 2026' }
      return protectPerson(parts, by, { contact: desk.contactOf(lead), people, ...usual, ...given })
    },
  }
}

type Given = { emails?: string[]; phones?: string[]; reason?: string }
