import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { CopyTextButton } from '@/components/desk/copy'
import { useSave } from '@/components/desk/save'
import { useSchoolNames } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { LinkMail } from '@/lib/contract/feed-status'
import type { NewUserAnswer, User } from '@/lib/contract/user'
import type { Locale } from '@/lib/i18n/locale'

export type Invitation = Pick<NewUserAnswer, 'inviteUrl' | 'mail'> & { name: string; email: string; isReset: boolean }

export function useMailLanguage(canMail: boolean): Locale | undefined {
  const locale = useLocale()
  return canMail ? locale : undefined
}

export function InvitationLink({ invitation: { inviteUrl, mail, email, isReset }, onDone }: InvitationLinkProps) {
  const t = useTranslations('adminUsers')
  const isMailed = mail?.outcome === 'sent'
  const valid = t(isReset ? 'resetHint' : 'inviteHint')
  const given = inviteUrl.includes('#') ? `${isMailed ? '' : t('give')} ${valid}` : t('signInHint')
  return (
    <ShownOnce
      label={t(isReset ? 'resetLink' : 'inviteLink')}
      hint={given}
      text={inviteUrl}
      copy={t('copyLink')}
      onDone={onDone}
    >
      {mail && <MailNotice mail={mail} email={email} />}
    </ShownOnce>
  )
}

function MailNotice({ mail: { outcome, detail }, email }: { mail: LinkMail; email: string }) {
  const t = useTranslations('adminUsers')
  const failed = useTranslations('mail.failed')
  if (outcome === 'sent') return <Notice tone="plain">{t('mailed', { address: email })}</Notice>
  return (
    <Notice role="alert">
      {failed(outcome)} {t('notMailed')}
      {detail !== '' && <code className="ml-1 text-xs">({detail})</code>}
    </Notice>
  )
}

type ShownOnceProps = {
  label: string
  hint: string
  text: string
  copy: string
  onDone: () => void
  children?: ReactNode
}

/** Shown only now: the server keeps no more than its hash. */
function ShownOnce({ label, hint, text, copy, onDone, children }: ShownOnceProps) {
  const t = useTranslations('adminUsers')
  return (
    <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
      {children}
      <TextField label={label} hint={hint} readOnly value={text} onFocus={(event) => event.target.select()} />
      <div className="flex justify-end gap-2">
        <Button text={t('done')} onClick={onDone} />
        <CopyTextButton variant="primary" autoFocus copies={text} text={copy} />
      </div>
    </div>
  )
}

type InvitationLinkProps = { invitation: Invitation; onDone: () => void }
type UserAccessProps = { user: User; canMail: boolean; onInvited: (invitation: Invitation) => void }

export function UserAccess({ user, canMail, onInvited }: UserAccessProps) {
  const { id, name, disabled, pending, singleSignOn } = user
  const t = useTranslations('adminUsers')
  const params = { id }
  const [isBound, setBound] = useState(singleSignOn?.bound === true)
  return (
    <div className="shrink-0 overflow-hidden rounded-md border border-line empty:hidden">
      {!disabled && <LinkLine user={user} canMail={canMail} onInvited={onInvited} />}
      {singleSignOn && (
        <Line
          text={t(isBound ? 'signOn.bound' : 'signOn.notBound')}
          button={isBound && t('signOn.unbind')}
          send={() => api('DELETE /api/users/[id]/identities', { params })}
          done={t('signOn.unbound', { name })}
          failed={(error) => (hasStatus(error, 404) ? null : undefined)}
          onSaved={() => setBound(false)}
        />
      )}
      {!pending && (
        <>
          <Line
            text={t('sessions.body')}
            button={t('sessions.end')}
            send={() => api('DELETE /api/users/[id]/sessions', { params })}
            done={t('sessions.ended', { name })}
          />
          <Line
            text={t('removeFactorsBody')}
            button={t('removeFactors')}
            variant="danger"
            send={() => api('DELETE /api/users/[id]/second-factors', { params })}
            done={t('factorsRemoved', { name })}
          />
        </>
      )}
    </div>
  )
}

function LinkLine({ user: { id, name, email, pending }, canMail, onInvited }: UserAccessProps) {
  const t = useTranslations('adminUsers')
  const mail = useMailLanguage(canMail)
  return (
    <Line
      isUrgent={pending}
      text={`${t(pending ? 'notCome' : 'resetLinkBody')} ${canMail ? t('alsoMailed') : ''}`}
      button={t(pending ? 'inviteAgain' : 'resetLink')}
      send={() => api('POST /api/users/[id]/invitation', { params: { id }, query: { mail } })}
      failed={(error) => (hasStatus(error, 409) ? t('noLink') : undefined)}
      onSaved={(answer) => onInvited({ ...answer, name, email, isReset: !pending })}
    />
  )
}

type LineProps<Answer> = {
  isUrgent?: boolean
  text: string
  button: string | false
  variant?: 'danger' | 'secondary'
  send: () => Promise<Answer>
  done?: string
  failed?: (error: Error) => string | null | undefined
  onSaved?: (answer: Answer) => void
}

function Line<Answer>({ isUrgent, text, button, variant = 'secondary', ...saving }: LineProps<Answer>) {
  const { save, busy } = useSave<void, Answer>({ refresh: 'GET /api/users', ...saving })
  return (
    <div
      className={cn(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line-soft px-3 py-2.5 text-sm last:border-b-0',
        isUrgent && 'bg-warn text-warn-ink',
      )}
    >
      <p className="min-w-0 flex-1 basis-48 text-pretty">{text}</p>
      {button && <Button text={button} size="sm" variant={variant} busy={busy} onClick={() => save()} />}
    </div>
  )
}

/** What the provider of single sign-on gives is shown, and changed there. */
export function GivenAccess({ user: { role, schools, singleSignOn } }: { user: User }) {
  const t = useTranslations('adminUsers')
  const roleName = useTranslations('common.role')
  const names = useSchoolNames()
  if (!singleSignOn?.role && !singleSignOn?.schools) return null
  const noSchools = t('schools.count', { count: 0 })
  const schoolNames = schools === 'all' ? t('schools.all') : schools.map(names.byId).join(', ') || noSchools
  const grants = [
    singleSignOn.role && ([t('field.role'), roleName(role)] as const),
    singleSignOn.schools && ([t('schools.legend'), schoolNames] as const),
  ].filter((pair) => pair !== false)
  return (
    <div className="flex flex-col gap-2 text-sm">
      <dl className="flex flex-col gap-2">
        {grants.map(([label, value]) => (
          <div key={label}>
            <dt className="text-xs text-mute">{label}</dt>
            <dd className="font-medium wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-mute">{t('signOn.given')}</p>
    </div>
  )
}
