import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { CopyTextButton } from '@/components/app/copy-text-button'
import { useCurrentUser } from '@/components/app/current-user'
import { DialogForm, useSave, useSaveForm } from '@/components/app/save-form'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { NewUser, NewUserAnswer, SchoolScope, User, UserChange } from '@/lib/contract/user'
import { AccessFields, type RoleAndSchools } from './access-fields'

type Invitation = Pick<NewUserAnswer, 'inviteUrl' | 'mail'> & { name: string; email: string; isReset: boolean }

/** Adds a user or changes one. A new link is shown only now, because the server keeps no more than its hash. */
export function UserDialog({ user, canMail, onClose }: { user: User | null; canMail: boolean; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const mailFailureText = useTranslations('mail.failed')
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  if (invitation === null) {
    const formProps = { canMail, onInvited: setInvitation, onClose }
    return (
      <Dialog onClose={onClose} title={user === null ? t('addTitle') : t('edit', { name: user.name })}>
        {user === null ? <AddUserForm {...formProps} /> : <EditUserForm user={user} {...formProps} />}
      </Dialog>
    )
  }
  const { inviteUrl, mail, name, email, isReset } = invitation
  const isMailed = mail?.outcome === 'sent'
  return (
    <Dialog onClose={onClose} title={t(isReset ? 'resetTitle' : 'invited', { name })}>
      <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
        {isMailed && <Notice tone="plain">{t('mailed', { address: email })}</Notice>}
        {mail && mail.outcome !== 'sent' && (
          <Notice role="alert">
            {mailFailureText(mail.outcome)} {t('notMailed')}
            {mail.detail !== '' && <code className="ml-1 text-xs">({mail.detail})</code>}
          </Notice>
        )}
        <TextField
          label={t(isReset ? 'resetLink' : 'inviteLink')}
          hint={
            inviteUrl.includes('#')
              ? `${isMailed ? '' : t('give')} ${t(isReset ? 'resetHint' : 'inviteHint')}`
              : t('signInHint')
          }
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

type UserFormProps = {
  /** Intag can send mail, so links are also mailed, in the language of the screen. */
  canMail: boolean
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}

function AddUserForm({ canMail, onInvited, onClose }: UserFormProps) {
  const t = useTranslations('adminUsers')
  const locale = useLocale()
  const [user, setUser] = useState<NewUser>({ name: '', email: '', role: 'staff', schools: [] })
  const updateUser = (part: Partial<NewUser>) => setUser({ ...user, ...part })
  const values = { ...user, name: user.name.trim(), email: user.email.trim() }
  const { getFieldError, ...saving } = useSaveForm({
    values,
    errors: {
      name: values.name === '' ? t('nameMissing') : null,
      email: values.email.includes('@') ? null : t('emailWrong'),
      schools: values.schools.length === 0 ? t('schools.none') : null,
    },
    send: (body) => api('POST /api/users', { query: { mail: canMail ? locale : undefined }, body }),
    failureMessage: (error) => {
      if (hasStatus(error, 409)) return { email: t('emailTaken') }
      // A 400 is about the e-mail, because only the server knows all of its rules.
      return hasStatus(error, 400) ? { email: t('emailWrong') } : undefined
    },
    invalidate: 'GET /api/users',
    onSaved: (answer, { name, email }) => onInvited({ ...answer, name, email, isReset: false }),
  })
  const text = (name: 'name' | 'email') => ({
    label: t(`field.${name}`),
    error: getFieldError(name),
    autoComplete: 'off',
    value: user[name],
    onChange: ({ target }: { target: HTMLInputElement }) => updateUser({ [name]: target.value }),
  })
  return (
    <DialogForm saving={saving} saveLabel={t('invite')} onClose={onClose}>
      <TextField {...text('name')} maxLength={100} autoFocus />
      <TextField {...text('email')} type="email" maxLength={200} />
      <AccessFields access={user} errors={{ schools: getFieldError('schools') }} onChange={updateUser} />
      {canMail && <p className="text-sm text-mute">{t('alsoMailed')}</p>}
    </DialogForm>
  )
}

function EditUserForm({ user, canMail, onInvited, onClose }: UserFormProps & { user: User }) {
  const t = useTranslations('adminUsers')
  const isOwn = useCurrentUser()?.id === user.id
  const [chosenAccess, setChosenAccess] = useState<Partial<RoleAndSchools>>({})
  const access = { role: user.role, schools: user.schools, ...chosenAccess }
  const changes = diffAccess(user, access)
  const noSchools = access.schools.length === 0 && !user.singleSignOn?.schools ? t('schools.none') : undefined
  const { getFieldError, ...saving } = useSaveForm({
    values: changes,
    errors: { noSchools },
    send: (body: UserChange) => api('PATCH /api/users/[id]', { params: { id: user.id }, body }),
    successMessage: t('saved'),
    failureMessage: (error, { role }) => {
      if (!hasStatus(error, 409)) return undefined
      // In all other conflicts single sign-on has begun to set the role or the schools meanwhile.
      return user.role === 'admin' && role !== undefined ? { role: t('lastAdmin') } : t('signOn.given')
    },
    invalidate: 'GET /api/users',
    onSaved: onClose,
  })
  return (
    <DialogForm saving={saving} disabled={Object.keys(changes).length === 0} onClose={onClose}>
      <p className="text-sm text-mute wrap-anywhere">{user.email}</p>
      <UserActions user={user} canMail={canMail} onInvited={onInvited} onClose={onClose} />
      <AccessFields
        access={access}
        singleSignOn={user.singleSignOn}
        errors={{ role: changes.role && getFieldError('role'), schools: noSchools }}
        onChange={(part) => setChosenAccess({ ...chosenAccess, ...part })}
      >
        {changes.role === 'admin' && <Notice role="status">{t('toAdmin')}</Notice>}
        {isOwn && changes.role !== undefined && <p className="text-sm text-danger">{t('ownRole')}</p>}
      </AccessFields>
    </DialogForm>
  )
}

/** Returns only what differs, so that nothing that another administrator has changed meanwhile is put back. */
export function diffAccess(user: User, { role, schools }: RoleAndSchools): UserChange {
  const toComparable = (scope: SchoolScope) => JSON.stringify(scope === 'all' ? scope : scope.toSorted())
  return {
    ...(role !== user.role && { role }),
    ...(toComparable(schools) !== toComparable(user.schools) && { schools }),
  }
}

/** Each button takes effect at once, and the line before it says what it does. */
function UserActions({ user, canMail, onInvited, onClose }: UserFormProps & { user: User }) {
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
          send={() => api('DELETE /api/users/[id]/identities', { params })}
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

type ActionRowProps<Answer> = {
  isUrgent?: boolean
  text: string
  buttonText: string | false
  variant?: 'danger' | 'secondary'
  send: () => Promise<Answer>
  successMessage?: string
  failureMessage?: (error: Error) => string | null | undefined
  onSaved?: (answer: Answer) => void
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
