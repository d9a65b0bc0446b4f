import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useSchoolNames } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import type { User } from '@/lib/contract/user'
import { refreshUsers } from './user-change'
import { UserLine } from './user-line'

/** That somebody comes by single sign-on, and how to undo whom the provider means by them. Nothing for others. */
export function SignOnNote({ user: { id, name, singleSignOn } }: { user: User }) {
  const t = useTranslations('adminUsers.signOn')
  const failed = useTranslations('adminUsers')
  const client = useQueryClient()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => api('DELETE /api/users/[id]/identities', { params: { id } }),
    onSuccess: () => {
      toast(t('unbound', { name }))
      return refreshUsers(client)
    },
    onError: (error) => {
      const isGone = error instanceof ApiError && error.kind === 'not-found'
      if (isGone) void refreshUsers(client)
      else toast(failed('saveFailed'), { tone: 'error' })
    },
  })
  if (!singleSignOn) return null
  const isBound = singleSignOn.bound && !isSuccess
  return (
    <UserLine
      action={
        isBound && (
          <Button size="sm" busy={isPending} onClick={() => mutate()}>
            {t('unbind')}
          </Button>
        )
      }
    >
      {t(isBound ? 'bound' : 'notBound')}
    </UserLine>
  )
}

/** What the provider gives is shown, and changed there. */
export function GivenAccess({ user: { role, schools, singleSignOn } }: { user: User }) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common.role')
  const names = useSchoolNames()
  if (!singleSignOn?.role && !singleSignOn?.schools) return null
  const given = [
    ...(singleSignOn.role ? [[t('field.role'), common(role)] as const] : []),
    ...(singleSignOn.schools
      ? [[t('schools.legend'), schools === 'all' ? t('schools.all') : schools.map(names.byId).join(', ')] as const]
      : []),
  ]
  return (
    <div className="flex flex-col gap-2 text-sm">
      <dl className="flex flex-col gap-2">
        {given.map(([label, value]) => (
          <div key={label}>
            <dt className="text-xs text-mute">{label}</dt>
            <dd className="font-medium wrap-anywhere">{value === '' ? t('schools.count', { count: 0 }) : value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-mute">{t('signOn.given')}</p>
    </div>
  )
}
