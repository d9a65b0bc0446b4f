'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { inviteAgain } from '@/lib/api/users'
import type { User } from '@/lib/contract/user'
import type { Invitation } from './users-invitation'

type UsersInviteAgainProps = { user: User; onInvited: (invitation: Invitation) => void }

/** For somebody who has not come yet: a link may be lost, or have run out. */
export function UsersInviteAgain({ user: { id, name, pending, disabled }, onInvited }: UsersInviteAgainProps) {
  const t = useTranslations('adminUsers')
  const { mutate, isPending } = useMutation({
    mutationFn: () => inviteAgain(id),
    onSuccess: (url) => onInvited({ name, url }),
    onError: () => toast(t('saveFailed'), { tone: 'error' }),
  })
  if (!pending || disabled) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-warn px-3 py-2 text-sm text-warn-ink">
      {t('notCome')}
      <Button size="sm" busy={isPending} onClick={() => mutate()}>
        {t('inviteAgain')}
      </Button>
    </div>
  )
}
