import type { EndpointName } from '@/lib/contract/endpoints'
import type { LeadRef } from '@/lib/contract/lead'
import { stockholmDay } from '@/lib/time/stockholm'
import { startedServices } from '@/server/run/services'
import { answerTo, placeOf } from './ask-route'
import { PASSWORD, type Person } from './people'
import type { Ask } from './route-table'

export type World = {
  lead: LeadRef
  contact: string
  school: string
  other: { lead: LeadRef; contact: string }
  admin: string
  password: string
  today: string
  user: () => Promise<string>
  newProtection: () => Promise<object>
  protection: () => Promise<string>
  asStaff: (at: EndpointName, ask: Ask) => Promise<string>
  asAdmin: (at: EndpointName, ask: Ask) => Promise<string>
}

type Answered = Partial<Record<string, unknown>>

export async function findWorld(staff: Person, admin: Person, school: string): Promise<World> {
  const origin = startedServices().env.auth.url
  const as = async (cookie: string, at: EndpointName, ask: Ask): Promise<Answered> => {
    const { answer, json } = await answerTo(placeOf(at), ask, { cookie, origin })
    if (answer !== 200) throw new Error(`${at} was answered with ${answer}`)
    return json as Answered
  }
  const made = (cookie: string) => async (at: EndpointName, ask: Ask) => String((await as(cookie, at, ask))['id'])
  const asAdmin = made(admin.cookie)
  const [first, other] = await leadsOfOneSchool((at, ask) => as(admin.cookie, at, ask), school)
  const newProtection = async () => {
    const { emails, phones } = await as(admin.cookie, 'GET /api/contacts/[id]/rights', {
      params: { id: other.contact },
    })
    return { contact: other.contact, emails, phones, people: [admin.id], reason: 'skyddad' }
  }
  return {
    ...first,
    school,
    other,
    admin: admin.id,
    password: PASSWORD,
    today: stockholmDay(Date.now()),
    user: () =>
      asAdmin('POST /api/users', {
        body: { email: `${crypto.randomUUID()}@skola.example`, name: 'Ny', role: 'staff', schools: [] },
      }),
    newProtection,
    protection: async () => {
      const { protections } = await as(admin.cookie, 'GET /api/protections', {})
      const [known] = protections as { id: string }[]
      return known?.id ?? asAdmin('POST /api/protections', { body: await newProtection() })
    },
    asStaff: made(staff.cookie),
    asAdmin,
  }
}

type Found = Pick<World, 'lead' | 'contact'>

/** Two declarations of this school whose senders wrote to no other, and left an address. */
async function leadsOfOneSchool(
  ask: (at: EndpointName, ask: Ask) => Promise<Answered>,
  school: string,
): Promise<[Found, Found]> {
  const { declarationsOfInterest } = await ask('GET /api/declarations-of-interest', { query: { school, limit: '100' } })
  const found = new Map<string, Found>()
  for (const { id, contactId: contact } of declarationsOfInterest as { id: string; contactId: string }[]) {
    const its = JSON.stringify(await ask('GET /api/contacts/[id]', { params: { id: contact } }))
    const schools = Array.from(its.matchAll(/"highSchoolId":"([^"]+)"/g), ([, each]) => each)
    if (schools.every((each) => each === school))
      found.set(contact, { lead: { kind: 'declaration-of-interest', id }, contact })
    const [first, other] = found.values()
    if (first && other) return [first, other]
  }
  throw new Error('every sender wrote to several schools')
}
