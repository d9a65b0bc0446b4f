import type { EndpointName } from '@/lib/contract/endpoints'
import type { LeadRef } from '@/lib/contract/lead'
import { buildServices } from '@/server/run/services'
import { answerTo, placeOf } from './ask-route'
import { PASSWORD, type Person } from './people'
import type { Ask } from './route-table'

export type World = Awaited<ReturnType<typeof findWorld>>

/** Finds or creates what the examples need, at this school. */
export async function findWorld(staff: Person, admin: Person, school: string) {
  const origin = buildServices().env.auth.url
  const answers = async <T>(cookie: string, name: EndpointName, ask: Ask = {}): Promise<T> => {
    const { answer, json } = await answerTo(placeOf(name), ask, { cookie, origin })
    if (answer !== 200) throw new Error(`${name} was answered with ${answer}`)
    return json as T
  }
  const creates = (cookie: string) => async (name: EndpointName, ask: Ask) =>
    (await answers<{ id: string }>(cookie, name, ask)).id
  const [asStaff, asAdmin] = [creates(staff.cookie), creates(admin.cookie)]

  // Two declarations are needed whose senders wrote to no other school.
  const found: { lead: LeadRef; contact: string }[] = []
  const query = { school, limit: '100' }
  type Declarations = { declarationsOfInterest: { id: string; contactId: string }[] }
  const list = await answers<Declarations>(admin.cookie, 'GET /api/declarations-of-interest', { query })
  for (const { id, contactId: contact } of list.declarationsOfInterest) {
    const request = { params: { id: contact } }
    const leads = JSON.stringify(await answers<object>(admin.cookie, 'GET /api/contacts/[id]', request))
    const schools = Array.from(leads.matchAll(/"highSchoolId":"([^"]+)"/g), ([, each]) => each)
    if (schools.some((each) => each !== school) || found.some((one) => one.contact === contact)) continue
    found.push({ lead: { kind: 'declaration-of-interest', id }, contact })
    if (found.length === 2) break
  }
  const [first, other] = found
  if (!first || !other) throw new Error('every sender wrote to several schools')

  const newProtection = async () => {
    type Rights = { emails: string[]; phones: string[] }
    const request = { params: { id: other.contact } }
    const { emails, phones } = await answers<Rights>(admin.cookie, 'GET /api/contacts/[id]/rights', request)
    return { contact: other.contact, emails, phones, people: [admin.id], reason: 'skyddad' }
  }
  return {
    ...first,
    school,
    other,
    admin: admin.id,
    password: PASSWORD,
    user: () =>
      asAdmin('POST /api/users', {
        body: { email: `${crypto.randomUUID()}@skola.example`, name: 'Ny', role: 'staff', schools: [] },
      }),
    newProtection,
    protection: async () => {
      type Protections = { protections: { id: string }[] }
      const { protections } = await answers<Protections>(admin.cookie, 'GET /api/protections')
      return protections[0]?.id ?? asAdmin('POST /api/protections', { body: await newProtection() })
    },
    asStaff,
    asAdmin,
  }
}
