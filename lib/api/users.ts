import { queryOptions } from '@tanstack/react-query'
import type { NewUser, NewUserAnswer, User, UserChange } from '@/lib/contract/user'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

type UsersAnswer = { users: User[] }
const PATH = '/api/users'

/** Everyone who may sign in, for administrators. */
export const users = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => request(PATH, { read: readUsers, signal }),
  refetchOnWindowFocus: true,
})

export function createUser(user: NewUser): Promise<NewUserAnswer> {
  return request(PATH, { method: 'POST', body: user, read: readNewUser })
}

export function changeUser(id: string, change: UserChange): Promise<void> {
  return request(`${PATH}/${encodeURIComponent(id)}`, { method: 'PATCH', body: change, read: () => undefined })
}

/** Another link for somebody who never came; the ones before it no longer hold. */
export function inviteAgain(id: string): Promise<string> {
  return request(`${PATH}/${encodeURIComponent(id)}/invitation`, { method: 'POST', read: readInvitation })
}

function readUsers(body: unknown): UsersAnswer {
  if (!isUsers(body)) throw new ApiError('unreadable', 200)
  return body
}

function readNewUser(body: unknown): NewUserAnswer {
  if (!isNewUser(body)) throw new ApiError('unreadable', 200)
  return body
}

function readInvitation(body: unknown): string {
  const url = isRecord(body) ? body['inviteUrl'] : null
  if (typeof url !== 'string') throw new ApiError('unreadable', 200)
  return url
}

function isUsers(body: unknown): body is UsersAnswer {
  return isRecord(body) && Array.isArray(body['users'])
}

function isNewUser(body: unknown): body is NewUserAnswer {
  return isRecord(body) && typeof body['id'] === 'string'
}
