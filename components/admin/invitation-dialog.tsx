import { useTranslations } from 'next-intl'
import { CopyTextButton } from '@/components/app/copy-text-button'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import type { Answer } from '@/lib/contract/endpoints'
import type { User } from '@/lib/contract/user'

type InviteLink = Answer<'POST /api/users/[id]/invitation'>
export type Invitation = InviteLink & Pick<User, 'name' | 'email'> & { isReset: boolean }

/** Shows a new link to set a password. It can be copied only now, because the server keeps no more than its hash. */
export function InvitationDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const tFailed = useTranslations('mail.failed')
  const { inviteUrl, mail, name, email, isReset } = invitation
  const isMailed = mail?.outcome === 'sent'
  const passwordHint = t(isReset ? 'resetHint' : 'inviteHint')
  const linkHint = isMailed ? passwordHint : `${t('give')} ${passwordHint}`
  return (
    <Dialog onClose={onClose} title={t(isReset ? 'resetTitle' : 'invited', { name })}>
      <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
        {isMailed && <Notice tone="plain">{t('mailed', { address: email })}</Notice>}
        {mail && mail.outcome !== 'sent' && (
          <Notice role="alert">
            {tFailed(mail.outcome)} {t('notMailed')}
            {mail.detail !== '' && <code className="ml-1 text-xs">({mail.detail})</code>}
          </Notice>
        )}
        <TextField
          label={t(isReset ? 'resetLink' : 'inviteLink')}
          // Without a token the link is the sign-in page, for a user who signs in at the provider.
          hint={inviteUrl.includes('#') ? linkHint : t('signInHint')}
          readOnly
          value={inviteUrl}
          onFocus={(event) => event.target.select()}
        />
        <div className="flex justify-end gap-2">
          <Button text={t('done')} onClick={onClose} />
          <CopyTextButton variant="primary" autoFocus textToCopy={inviteUrl} text={t('copyLink')} />
        </div>
      </div>
    </Dialog>
  )
}
