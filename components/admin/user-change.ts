import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import type { SchoolScope, User, UserChange } from '@/lib/contract/user'

/** Saves a change of a user and says so; `failure` says why it could not be. */
export function useChangeUser({ id, name, role }: User, told: { onSaved: () => void; onFailed: () => void }) {
  const t = useTranslations('adminUsers')
  const client = useQueryClient()
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (body: UserChange) => api('PATCH /api/users/[id]', { params: { id }, body }),
    onSuccess: (_answer, { disabled }) => {
      toast(disabled === undefined ? t('saved') : t(disabled ? 'disabledToast' : 'enabledToast', { name }))
      told.onSaved()
      return refreshUsers(client)
    },
    onError: told.onFailed,
  })
  const isConflict = error instanceof ApiError && error.status === 409
  const isLastAdmin = isConflict && role === 'admin' && (variables?.role ?? variables?.disabled) !== undefined
  const reason = isLastAdmin ? 'lastAdmin' : isForbidden(error) ? 'notAllowed' : 'saveFailed'
  // Otherwise single sign-on gives them meanwhile what was to be changed.
  const failure = error === null ? null : t(isConflict && !isLastAdmin ? 'signOn.given' : reason)
  return { save: mutate, isPending, failure, isLastAdmin }
}

/** Asks again for the users, and for the sessions and second factors of each: a change may end them. */
export function refreshUsers(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [name] }) => String(name).startsWith('GET /api/users') })
}

/** Whoever is no administrator any more need not try again. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'unauthorized'
}

/** Only what differs: what somebody else has changed meanwhile is not put back. */
export function changesOf(user: User, { role, schools }: Pick<User, 'role' | 'schools'>): UserChange {
  return {
    ...(role !== user.role && { role }),
    ...(!isSame(schools, user.schools) && { schools }),
  }
}

function isSame(a: SchoolScope, b: SchoolScope): boolean {
  if (a === 'all' || b === 'all') return a === b
  const those = new Set(b)
  return a.length === those.size && a.every((id) => those.has(id))
}
