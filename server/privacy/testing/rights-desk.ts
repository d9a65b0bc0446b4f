import type { Lead } from '@/lib/contract/lead'
import type { Admin } from '@/server/access/viewer'
import { createExportServices } from '@/server/export/services'
import { createInterestServices } from '@/server/interest/services'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { testServices } from '@/server/testing/services'
import { protectPerson } from '../protections'

/** Opens a desk with exports, figures and protections. */
export async function openRightsDesk(...database: Parameters<typeof openTestDesk>) {
  const desk = await openTestDesk(...database)
  const upper = { ...createExportServices(desk.parts), ...createInterestServices() }
  const parts = testServices({ ...desk.parts, ...upper, logger: { error: () => {} } })
  return {
    ...desk,
    parts,
    /** Protects the person of a lead, by default by its e-mail. `people` may see who it is. */
    protect: (by: Admin, lead: Lead, people: string[], input: ProtectionInput = {}) => {
      const { email } = 'user' in lead ? lead.user : lead.sender
      const defaults = { emails: email === null ? [] : [email], phones: [], reason: 'Beslut 2026' }
      return protectPerson(parts, by, { contact: desk.getContactId(lead), people, ...defaults, ...input })
    },
  }
}

type ProtectionInput = { emails?: string[]; phones?: string[]; reason?: string }
