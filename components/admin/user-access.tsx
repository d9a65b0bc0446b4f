import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useNow } from '@/components/browser/clock'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { api, apiQuery } from '@/lib/api/call'
import type { User } from '@/lib/contract/user'
import { dayAndTime } from '@/lib/time/format-time'
import { refreshUsers } from './user-change'
import { UserLine } from './user-line'

/** Where somebody is signed in now, and how to end that, as when a telephone is lost. */
export function UserSessions({ user: { id, name } }: { user: User }) {
  const t = useTranslations('adminUsers.sessions')
  const locale = useLocale()
  const now = useNow()
  const client = useQueryClient()
  const { data } = useQuery(apiQuery('GET /api/users/[id]/sessions', { params: { id } }))
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('DELETE /api/users/[id]/sessions', { params: { id } }),
    onSuccess: () => toast(t('ended', { name })),
    onError: () => toast(t('failed'), { tone: 'error' }),
    onSettled: () => refreshUsers(client),
  })
  const [latest] = data?.sessions ?? []
  if (data === undefined || latest === undefined) return null
  const lastUsedAt = Date.parse(latest.lastUsedAt)
  const when = dayAndTime(lastUsedAt, now ?? lastUsedAt, locale)
  return (
    <UserLine
      action={
        <Button size="sm" busy={isPending} onClick={() => mutate()}>
          {t('end')}
        </Button>
      }
    >
      {t('count', { count: data.sessions.length, when })}
    </UserLine>
  )
}

/** For somebody whose telephone is gone: takes away the second step, where there is one. */
export function UserFactors({ user: { id, name } }: { user: User }) {
  const t = useTranslations('adminUsers')
  const client = useQueryClient()
  const { data } = useQuery(apiQuery('GET /api/users/[id]/second-factors', { params: { id } }))
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('DELETE /api/users/[id]/second-factors', { params: { id } }),
    onSuccess: () => toast(t('factorsRemoved', { name })),
    onError: () => toast(t('saveFailed'), { tone: 'error' }),
    onSettled: () => refreshUsers(client),
  })
  if (data === undefined || data.count === 0) return null
  return (
    <UserLine
      action={
        <Button size="sm" variant="danger" busy={isPending} onClick={() => mutate()}>
          {t('removeFactors')}
        </Button>
      }
    >
      {t('removeFactorsBody')}
    </UserLine>
  )
}
