import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useCopy } from '@/components/desk/copy'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { inviteAgain, users } from '@/lib/api/administration'
import { ApiError } from '@/lib/api/send'
import type { User } from '@/lib/contract/user'

export type Invitation = { name: string; url: string }

/** The link of an invitation, to be copied. It is known only now: the server keeps no more than its hash. */
export function InvitationLink({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const t = useTranslations('adminUsers')
  const lead = useTranslations('lead')
  const [copied, copy] = useCopy(invitation.url)
  return (
    <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
      <Field label={t('inviteLink')} hint={t('inviteHint')}>
        {(attributes) => (
          <Input {...attributes} readOnly value={invitation.url} onFocus={(event) => event.target.select()} />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{t('done')}</Button>
        <Button variant="primary" autoFocus onClick={copy}>
          <span aria-live="polite">{copied ? lead('copied') : t('copyLink')}</span>
        </Button>
      </div>
    </div>
  )
}

type InviteAgainProps = { user: User; onInvited: (invitation: Invitation) => void }

/** For somebody who has not come yet: a link may be lost, or have run out. */
export function InviteAgain({ user: { id, name, pending, disabled }, onInvited }: InviteAgainProps) {
  const t = useTranslations('adminUsers')
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => inviteAgain(id),
    onSuccess: (url) => onInvited({ name, url }),
    onError: (error) => {
      const isConflict = error instanceof ApiError && error.status === 409
      toast(t(isConflict ? 'inviteNotNeeded' : 'saveFailed'), { tone: 'error' })
      if (isConflict) void client.invalidateQueries({ queryKey: users.queryKey })
    },
  })
  if (!pending || disabled) return null
  return (
    <Notice size="sm" className="flex flex-wrap items-center justify-between gap-2">
      {t('notCome')}
      <Button size="sm" busy={isPending} onClick={() => mutate()}>
        {t('inviteAgain')}
      </Button>
    </Notice>
  )
}
