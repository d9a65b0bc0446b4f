import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useNow } from '@/components/browser/clock'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { endSessionsOf, sessionsOf } from '@/lib/api/account'
import { factorsOf, removeFactorsOf } from '@/lib/api/own-secrets'
import type { User } from '@/lib/contract/user'
import { dayAndTime } from '@/lib/time/format-time'
import { UserLine } from './user-line'

/** Where somebody is signed in now, and how to end that, as when a telephone is lost. */
export function UserSessions({ user: { id, name } }: { user: User }) {
  const t = useTranslations('adminUsers.sessions')
  const locale = useLocale()
  const now = useNow()
  const client = useQueryClient()
  const { data } = useQuery(sessionsOf(id))
  const { mutate, isPending } = useMutation({
    mutationFn: () => endSessionsOf(id),
    onSuccess: () => toast(t('ended', { name })),
    onError: () => toast(t('failed'), { tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsOf(id).queryKey }),
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
  const { data } = useQuery(factorsOf(id))
  const { mutate, isPending } = useMutation({
    mutationFn: () => removeFactorsOf(id),
    onSuccess: () => toast(t('factorsRemoved', { name })),
    onError: () => toast(t('saveFailed'), { tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: factorsOf(id).queryKey }),
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
