import { NextRequest } from 'next/server'
import { GET as authGet, POST as authPost } from '@/app/api/auth/[...nextauth]/route'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { hashPassword } from '@/server/access/passwords'
import { startedServices } from '@/server/run/services'
import { inRequest } from './in-request'

export type Person = { id: string; cookie: string }

export const PASSWORD = 'as good as any in a test 7'

export async function signedInPerson(role: Role, schools: SchoolScope): Promise<Person> {
  const { connect, users, env } = startedServices()
  const name = `${role}.${crypto.randomUUID()}`
  const email = `${name}@skola.example`
  const passwordHash = await hashPassword(PASSWORD)
  const { id } = await users.create(await connect(), { email, name, role, schools, passwordHash })
  const csrf = await auth('GET', `${env.auth.url}/api/auth/csrf`, ['csrf'])
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, email, password: PASSWORD, json: 'true' })
  const path = ['callback', 'credentials']
  const answer = await auth('POST', `${env.auth.url}/api/auth/${path.join('/')}`, path, {
    cookie: cookiesOf(csrf),
    body,
  })
  if (answer.status !== 200) throw new Error(`signing in was answered with ${answer.status}`)
  return { id, cookie: cookiesOf(answer) }
}

function auth(
  method: 'GET' | 'POST',
  url: string,
  nextauth: string[],
  { cookie = '', body }: Sent = {},
): Promise<Response> {
  const request = new NextRequest(url, { method, headers: { cookie }, ...(body && { body }) })
  const answer = method === 'GET' ? authGet : authPost
  return inRequest(request, () => answer(request, { params: Promise.resolve({ nextauth }) }))
}

type Sent = { cookie?: string; body?: URLSearchParams }

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ')
}
