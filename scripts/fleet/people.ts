import { z } from 'zod'
import { ask } from './ask'

export const BOOTSTRAP = { email: 'admin@skola.example', password: 'a-long-first-password' }

const newUserSchema = z.object({ inviteUrl: z.string() })
const csrfSchema = z.object({ csrfToken: z.string() })

/** Signs in as a browser does; answers the cookies. `at`: on this very instance. */
export async function signIn(
  origin: string,
  account: { email: string; password: string },
  at: string = origin,
): Promise<string> {
  const csrf = await ask(origin, '/api/auth/csrf', { at })
  if (csrf.outcome !== 'ok') throw new Error(csrf.detail)
  const { csrfToken } = csrfSchema.parse(JSON.parse(csrf.body))
  const before = csrf.cookies.join('; ')
  const form = { csrfToken, ...account, json: 'true' }
  const answer = await ask(origin, '/api/auth/callback/credentials', { method: 'POST', cookie: before, form, at })
  if (answer.status !== 200) throw new Error(`nobody can sign in: ${answer.detail}`)
  return [...csrf.cookies, ...answer.cookies].join('; ')
}

/** So many members of staff, invited by the first administrator, each signed in; answers their cookies. */
export async function invitePeople(origin: string, count: number, at: string = origin): Promise<string[]> {
  const cookie = await signIn(origin, BOOTSTRAP, at)
  const people: string[] = []
  for (let index = 0; index < count; index += 1) {
    const email = `staff${index}@skola.example`
    const json = { email, name: `Eva ${index}`, role: 'staff', schools: 'all' }
    const invited = await ask(origin, '/api/users', { method: 'POST', cookie, json, at })
    if (invited.status >= 300 || invited.status === 0) throw new Error(`nobody can be invited: ${invited.detail}`)
    const { inviteUrl } = newUserSchema.parse(JSON.parse(invited.body))
    const token = inviteUrl.slice(inviteUrl.indexOf('#') + 1)
    const password = 'a-long-enough-password'
    const accepted = await ask(origin, '/api/invitations', { method: 'POST', json: { token, password }, at })
    if (accepted.status !== 200) throw new Error(`nobody can accept: ${accepted.detail}`)
    people.push(await signIn(origin, { email, password }, at))
  }
  return people
}
