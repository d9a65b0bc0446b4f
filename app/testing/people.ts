import type { Role, SchoolScope } from '@/lib/contract/user'
import { hashPassword } from '@/server/access/passwords'
import { encodeSessionCookie } from '@/server/access/session-cookie'
import { buildServices } from '@/server/run/services'

export type Person = { id: string; cookie: string }

export const PASSWORD = 'as good as any in a test 7'

export async function createSignedInPerson(role: Role, schools: SchoolScope): Promise<Person> {
  const { connect, users, sessions, env } = buildServices()
  const email = `${role}.${crypto.randomUUID()}@skola.example`
  const passwordHash = await hashPassword(PASSWORD)
  const { id } = await users.create(await connect(), { email, name: role, role, schools, passwordHash })
  const session = await sessions.begin({ userId: id, method: 'password', device: 'test', address: '127.0.0.1' })
  const cookie = await encodeSessionCookie({ userId: id, id: session }, env)
  return { id, cookie: cookie.slice(0, cookie.indexOf(';')) }
}
