import { useLocale, useTranslations } from 'next-intl'
import { type SaveOptions, useSave } from '@/components/app/use-save'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { User } from '@/lib/contract/user'
import type { Invitation } from './invitation-dialog'

type UserActionsProps = {
  user: User
  /** A new link is also mailed, in the language of the screen, if Intag can send mail. */
  canMail: boolean
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}

export function UserActions({ user, canMail, onInvited, onClose }: UserActionsProps) {
  const { id, name, email, disabled, pending, singleSignOn } = user
  const t = useTranslations('adminUsers')
  const locale = useLocale()
  const params = { id }
  return (
    <div className="shrink-0 overflow-hidden rounded-md border border-line">
      {!disabled && (
        <ActionRow
          isUrgent={pending}
          text={`${t(pending ? 'notCome' : 'resetLinkBody')} ${canMail ? t('alsoMailed') : ''}`}
          buttonText={t(pending ? 'inviteAgain' : 'resetLink')}
          send={() => api('POST /api/users/[id]/invitation', { params, query: { mail: canMail ? locale : undefined } })}
          failureMessage={(error) => (hasStatus(error, 409) ? t('noLink') : undefined)}
          onSaved={(answer) => onInvited({ ...answer, name, email, isReset: !pending })}
        />
      )}
      {singleSignOn && (
        <ActionRow
          text={t(singleSignOn.bound ? 'signOn.bound' : 'signOn.notBound')}
          buttonText={singleSignOn.bound && t('signOn.unbind')}
          send={() => api('PATCH /api/users/[id]', { params, body: { bound: false } })}
          successMessage={t('signOn.unbound', { name })}
        />
      )}
      {!pending && (
        <>
          <ActionRow
            text={t('sessions.body')}
            buttonText={t('sessions.end')}
            send={() => api('DELETE /api/users/[id]/sessions', { params })}
            successMessage={t('sessions.ended', { name })}
          />
          <ActionRow
            text={t('removeFactorsBody')}
            buttonText={t('removeFactors')}
            variant="danger"
            send={() => api('DELETE /api/users/[id]/second-factors', { params })}
            successMessage={t('factorsRemoved', { name })}
          />
        </>
      )}
      <ActionRow
        text={t(disabled ? 'enableBody' : 'disableBody')}
        buttonText={t(disabled ? 'enable' : 'disable')}
        variant={disabled ? 'secondary' : 'danger'}
        send={() => api('PATCH /api/users/[id]', { params, body: { disabled: !disabled } })}
        successMessage={t(disabled ? 'enabledToast' : 'disabledToast', { name })}
        failureMessage={(error) => (hasStatus(error, 409) ? t('lastAdmin') : undefined)}
        onSaved={onClose}
      />
    </div>
  )
}

type ActionRowProps<Answer> = SaveOptions<void, Answer> & {
  isUrgent?: boolean
  text: string
  /** Without a button the row only describes the user's state. */
  buttonText: string | false
  variant?: 'danger' | 'secondary'
}

function ActionRow<Answer>({ isUrgent, text, buttonText, variant = 'secondary', ...saving }: ActionRowProps<Answer>) {
  const { save, busy } = useSave<void, Answer>({ invalidate: 'GET /api/users', ...saving })
  return (
    <div className={cn('card-row text-sm', isUrgent && 'bg-warn text-warn-ink')}>
      <p className="min-w-0 flex-1 basis-48 text-pretty">{text}</p>
      {buttonText && <Button text={buttonText} size="sm" variant={variant} busy={busy} onClick={() => save()} />}
    </div>
  )
}
