import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useCopy } from '@/components/desk/copy'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import type { User } from '@/lib/contract/user'
import { UserLine } from './user-line'

/** A link to hand over, and what for: a first password or a new one, or only where to sign in. */
export type Invitation = { name: string; url: string; isReset: boolean }

/** The link of an invitation, to be copied. It is known only now: the server keeps no more than its hash. */
export function InvitationLink({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const t = useTranslations('adminUsers')
  const lead = useTranslations('lead')
  const [copied, copy] = useCopy(invitation.url)
  const hint = !invitation.url.includes('#') ? 'signInHint' : invitation.isReset ? 'resetHint' : 'inviteHint'
  return (
    <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
      <Field label={t(invitation.isReset ? 'resetLink' : 'inviteLink')} hint={t(hint)}>
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

type NewLinkProps = { user: User; onInvited: (invitation: Invitation) => void }

/** Another link to set a password: for somebody who has not come yet, or who has forgotten it. */
export function NewLink({ user: { id, name, pending, disabled }, onInvited }: NewLinkProps) {
  const t = useTranslations('adminUsers')
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /api/users/[id]/invitation', { params: { id } }),
    onSuccess: ({ inviteUrl: url }) => onInvited({ name, url, isReset: !pending }),
    onError: (error) => {
      const isConflict = error instanceof ApiError && error.status === 409
      toast(t(isConflict ? 'noLink' : 'saveFailed'), { tone: 'error' })
    },
  })
  if (disabled) return null
  return (
    <UserLine
      isUrgent={pending}
      action={
        <Button size="sm" busy={isPending} onClick={() => mutate()}>
          {t(pending ? 'inviteAgain' : 'resetLink')}
        </Button>
      }
    >
      {t(pending ? 'notCome' : 'resetLinkBody')}
    </UserLine>
  )
}
