import type { Answer, EndpointName } from '@/lib/contract/endpoints'
import type { LeadRef } from '@/lib/contract/lead'
import type { ContactRights } from '@/lib/contract/rights'
import type { NewUser, Role, SchoolScope } from '@/lib/contract/user'
import { hashPassword } from '@/server/access/passwords'
import { serializeSessionCookie } from '@/server/access/session-cookie'
import { buildServices } from '@/server/run/services'
import { callRoute } from './call-route'
import type { RouteInput } from './route-table'

export type Person = { id: string; cookie: string }

const PASSWORD = 'as good as any in a test 7'

export async function createSignedInPerson(role: Role, schools: SchoolScope): Promise<Person> {
  const { connect, users, sessions, env } = buildServices()
  const email = `${role}.${crypto.randomUUID()}@skola.example`
  const passwordHash = await hashPassword(PASSWORD)
  const { id } = await users.create(await connect(), { email, name: role, role, schools, passwordHash })
  const session = await sessions.begin({ userId: id, method: 'password', device: 'test', address: '127.0.0.1' })
  const cookie = await serializeSessionCookie({ userId: id, id: session }, env)
  return { id, cookie: cookie.slice(0, cookie.indexOf(';')) }
}

export function createNewUser(): NewUser {
  return { email: `${crypto.randomUUID()}@skola.example`, name: 'Ny', role: 'staff', schools: [] }
}

export type World = Awaited<ReturnType<typeof prepareWorld>>

/** Prepares what the examples need at this school. */
export async function prepareWorld(staff: Person, admin: Person, school: string) {
  const origin = buildServices().env.auth.url
  const send = async <T>(cookie: string, name: EndpointName, input: RouteInput = {}): Promise<T> => {
    const { outcome, json } = await callRoute(name, input, { cookie, origin })
    if (outcome !== 200) throw new Error(`${name} was answered with ${outcome}`)
    return json as T
  }
  /** Returns the id of what was created. */
  const sendAs = (cookie: string) => async (name: EndpointName, input: RouteInput) =>
    (await send<{ id: string }>(cookie, name, input)).id
  const sendAsAdmin = sendAs(admin.cookie)

  // Two senders are needed who wrote to no other school, because another school's staff must not reach them.
  const senders: { lead: LeadRef; contact: string }[] = []
  const query = { school, limit: '100' }
  type Declarations = { declarationsOfInterest: { id: string; contactId: string }[] }
  const list = await send<Declarations>(admin.cookie, 'GET /api/declarations-of-interest', { query })
  for (const { id, contactId: contact } of list.declarationsOfInterest) {
    const request = { params: { id: contact } }
    const contactText = JSON.stringify(await send<object>(admin.cookie, 'GET /api/contacts/[id]', request))
    const schools = Array.from(contactText.matchAll(/"highSchoolId":"([^"]+)"/g), ([, schoolId]) => schoolId)
    const wroteElsewhere = schools.some((schoolId) => schoolId !== school)
    if (wroteElsewhere || senders.some((sender) => sender.contact === contact)) continue
    senders.push({ lead: { kind: 'declaration-of-interest', id }, contact })
    if (senders.length === 2) break
  }
  const [first, other] = senders
  if (!first || !other) throw new Error('too few senders wrote to this school alone')

  const makeProtection = async () => {
    const request = { params: { id: other.contact } }
    const { emails, phones } = await send<ContactRights>(admin.cookie, 'GET /api/contacts/[id]/rights', request)
    return { contact: other.contact, emails, phones, people: [admin.id], reason: 'skyddad' }
  }
  return {
    ...first,
    school,
    other,
    admin: admin.id,
    password: PASSWORD,
    createUser: () => sendAsAdmin('POST /api/users', { body: createNewUser() }),
    makeProtection,
    findProtection: async () => {
      const { protections } = await send<Answer<'GET /api/protections'>>(admin.cookie, 'GET /api/protections')
      return protections[0]?.id ?? sendAsAdmin('POST /api/protections', { body: await makeProtection() })
    },
    sendAsStaff: sendAs(staff.cookie),
    sendAsAdmin,
  }
}
