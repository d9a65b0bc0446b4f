import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { CopyTextButton } from '@/components/desk/copy'
import { useCurrentUser } from '@/components/desk/current-user'
import { DialogForm, useSave, useSaveForm } from '@/components/desk/save'
import { useSchoolNames } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Confirm, Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { NewUser, NewUserAnswer, Role, User, UserChange } from '@/lib/contract/user'
import { Choice, FieldGroup, SchoolField } from './school-field'
import { changesOf, ROLES } from './user-change'

type Step = 'disable' | 'toAdmin' | null

/** `canMail`: links are mailed, too, in the language of the screen. */
type UserDialogProps = { user: User | null; canMail: boolean; onClose: () => void }

/** Unsaved input is kept until it is discarded on purpose. */
export function UserDialog({ user, canMail, onClose }: UserDialogProps) {
  const t = useTranslations('adminUsers')
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const [step, setStep] = useState<Step>(null)
  if (invitation !== null) {
    const { name, isReset } = invitation
    return (
      <Dialog onClose={onClose} title={t(isReset ? 'resetTitle' : 'invited', { name })}>
        <InvitationLink invitation={invitation} onDone={onClose} />
      </Dialog>
    )
  }
  if (user === null) {
    return (
      <Dialog onClose={onClose} title={t('addTitle')}>
        <AddUserForm canMail={canMail} onInvited={setInvitation} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog onClose={onClose} title={t(`${step ?? 'edit'}Title`, { name: user.name })}>
      <EditUserForm {...{ user, step, canMail, onClose }} onStep={setStep} onInvited={setInvitation} />
    </Dialog>
  )
}

type FormProps = { canMail: boolean; onInvited: (invitation: Invitation) => void; onClose: () => void }

function AddUserForm({ canMail, onInvited, onClose }: FormProps) {
  const t = useTranslations('adminUsers')
  const locale = useLocale()
  const [user, setUser] = useState<NewUser>({ name: '', email: '', role: 'staff', schools: [] })
  const set = (part: Partial<NewUser>) => setUser({ ...user, ...part })
  const values = { ...user, name: user.name.trim(), email: user.email.trim() }
  const { errorOf, ...saving } = useSaveForm({
    values,
    errors: {
      name: values.name === '' ? t('nameMissing') : null,
      email: values.email.includes('@') ? null : t('emailWrong'),
      schools: values.schools.length === 0 ? t('schools.none') : null,
    },
    send: (body) => api('POST /api/users', { query: { mail: canMail ? locale : undefined }, body }),
    failed: (error) => {
      if (hasStatus(error, 409)) return { email: t('emailTaken') }
      // Only an address has rules that this side does not know.
      if (hasStatus(error, 400)) return { email: t('emailWrong') }
      return hasStatus(error, 403) ? t('notAllowed') : undefined
    },
    refresh: 'GET /api/users',
    onSaved: (answer, { name, email }) => onInvited({ ...answer, name, email, isReset: false }),
  })
  const text = (name: 'name' | 'email') => ({
    label: t(`field.${name}`),
    error: errorOf(name),
    autoComplete: 'off',
    value: user[name],
    onChange: ({ target }: { target: HTMLInputElement }) => set({ [name]: target.value }),
  })
  return (
    <DialogForm saving={saving} save={t('invite')} onClose={onClose}>
      <TextField {...text('name')} maxLength={100} autoFocus />
      <TextField {...text('email')} type="email" maxLength={200} />
      <RoleField role={user.role} onRole={(role) => set({ role })} />
      <SchoolField schools={user.schools} error={errorOf('schools')} onSchools={(schools) => set({ schools })} />
      {canMail && <p className="text-sm text-mute">{t('alsoMailed')}</p>}
    </DialogForm>
  )
}

type EditUserFormProps = FormProps & { user: User; step: Step; onStep: (step: Step) => void }

function EditUserForm({ user, step, canMail, onStep, onInvited, onClose }: EditUserFormProps) {
  const t = useTranslations('adminUsers')
  const back = useTranslations('common')('back')
  const [access, setAccess] = useState<Access>(user)
  const change = changesOf(user, access)
  const noSchools = access.schools.length === 0 && !user.singleSignOn?.schools ? t('schools.none') : undefined
  const { errorOf, save, ...saving } = useSaveForm({
    values: change,
    errors: { noSchools },
    send: (body: UserChange) => api('PATCH /api/users/[id]', { params: { id: user.id }, body }),
    done: (_, { disabled }) =>
      disabled === undefined ? t('saved') : t(disabled ? 'disabledToast' : 'enabledToast', { name: user.name }),
    failed: (error, sent) => {
      if (hasStatus(error, 403)) return t('notAllowed')
      if (!hasStatus(error, 409)) return undefined
      if (user.role === 'admin' && sent.role !== undefined) return { role: t('lastAdmin') }
      // Otherwise single sign-on gives them meanwhile what was to be changed.
      return t(user.role === 'admin' && sent.disabled !== undefined ? 'lastAdmin' : 'signOn.given')
    },
    refresh: 'GET /api/users',
    onSaved: onClose,
  })
  if (step !== null) {
    const sent = step === 'disable' ? { disabled: true } : change
    const { busy, problem } = saving
    const texts = { text: t(`${step}Body`), yes: t(step), no: back }
    return <Confirm {...texts} problem={problem} busy={busy} onYes={() => save(sent)} onNo={() => onStep(null)} />
  }
  const askFirst = (event: FormEvent) => {
    event.preventDefault()
    onStep('toAdmin')
  }
  const isAsking = change.role === 'admin' && !noSchools
  const wrong = { role: change.role && errorOf('role'), schools: noSchools }
  return (
    <DialogForm
      saving={isAsking ? { ...saving, form: { onSubmit: askFirst } } : saving}
      disabled={Object.keys(change).length === 0}
      other={
        <>
          {user.disabled ? (
            <Button text={t('enable')} busy={saving.busy} onClick={() => save({ disabled: false })} />
          ) : (
            <Button text={t('disable')} variant="danger" onClick={() => onStep('disable')} />
          )}
          <span className="flex-1" />
        </>
      }
    >
      <p className="text-sm text-mute wrap-anywhere">{user.email}</p>
      <UserAccess user={user} canMail={canMail} onInvited={onInvited} />
      <AccessFields user={user} access={access} onAccess={setAccess} wrong={wrong} />
    </DialogForm>
  )
}

type Access = Pick<User, 'role' | 'schools'>
type AccessFieldsProps = {
  user: User
  access: Access
  onAccess: (access: Access) => void
  wrong: { role: string | undefined; schools: string | undefined }
}

function AccessFields({ user, access, onAccess, wrong }: AccessFieldsProps) {
  const t = useTranslations('adminUsers')
  const roleName = useTranslations('common.role')
  const names = useSchoolNames()
  const isOwn = useCurrentUser()?.id === user.id
  const provided = user.singleSignOn
  const schoolNames = user.schools === 'all' ? t('schools.all') : user.schools.map(names.byId).join(', ')
  const given = [
    { isGiven: provided?.role, label: t('field.role'), value: roleName(user.role) },
    { isGiven: provided?.schools, label: t('schools.legend'), value: schoolNames || t('schools.count', { count: 0 }) },
  ].filter(({ isGiven }) => isGiven)
  return (
    <>
      {/* What the provider of single sign-on gives is shown, and changed there. */}
      {given.length > 0 && (
        <div className="flex flex-col gap-2 text-sm">
          <dl className="flex flex-col gap-2">
            {given.map(({ label, value }) => (
              <div key={label}>
                <dt className="text-xs text-mute">{label}</dt>
                <dd className="font-medium wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          <p className="text-xs text-mute">{t('signOn.given')}</p>
        </div>
      )}
      {!provided?.role && (
        <RoleField role={access.role} error={wrong.role} onRole={(role) => onAccess({ ...access, role })} />
      )}
      {isOwn && access.role !== user.role && <p className="text-sm text-danger">{t('ownRole')}</p>}
      {!provided?.schools && (
        <SchoolField
          schools={access.schools}
          error={wrong.schools}
          onSchools={(schools) => onAccess({ ...access, schools })}
        />
      )}
    </>
  )
}

function RoleField({ role, error, onRole }: { role: Role; error?: string | undefined; onRole: (role: Role) => void }) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common.role')
  return (
    <FieldGroup legend={t('field.role')} error={error}>
      {ROLES.map((choice) => (
        <Choice
          key={choice}
          group="role"
          label={common(choice)}
          hint={t(`roleHint.${choice}`)}
          isChosen={role === choice}
          onChoose={() => onRole(choice)}
        />
      ))}
    </FieldGroup>
  )
}

type Invitation = Pick<NewUserAnswer, 'inviteUrl' | 'mail'> & { name: string; email: string; isReset: boolean }

type InvitationLinkProps = { invitation: Invitation; onDone: () => void }

/** Shown only now: the server keeps no more than the link's hash. */
function InvitationLink({ invitation: { inviteUrl, mail, email, isReset }, onDone }: InvitationLinkProps) {
  const t = useTranslations('adminUsers')
  const failed = useTranslations('mail.failed')
  const valid = t(isReset ? 'resetHint' : 'inviteHint')
  return (
    <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
      {mail?.outcome === 'sent' && <Notice tone="plain">{t('mailed', { address: email })}</Notice>}
      {mail && mail.outcome !== 'sent' && (
        <Notice role="alert">
          {failed(mail.outcome)} {t('notMailed')}
          {mail.detail !== '' && <code className="ml-1 text-xs">({mail.detail})</code>}
        </Notice>
      )}
      <TextField
        label={t(isReset ? 'resetLink' : 'inviteLink')}
        hint={inviteUrl.includes('#') ? `${mail?.outcome === 'sent' ? '' : t('give')} ${valid}` : t('signInHint')}
        readOnly
        value={inviteUrl}
        onFocus={(event) => event.target.select()}
      />
      <div className="flex justify-end gap-2">
        <Button text={t('done')} onClick={onDone} />
        <CopyTextButton variant="primary" autoFocus copies={inviteUrl} text={t('copyLink')} />
      </div>
    </div>
  )
}

type UserAccessProps = { user: User; canMail: boolean; onInvited: (invitation: Invitation) => void }

function UserAccess({ user, canMail, onInvited }: UserAccessProps) {
  const { id, name, email, disabled, pending, singleSignOn } = user
  const t = useTranslations('adminUsers')
  const locale = useLocale()
  const params = { id }
  const [isBound, setBound] = useState(singleSignOn?.bound === true)
  return (
    <div className="shrink-0 overflow-hidden rounded-md border border-line empty:hidden">
      {!disabled && (
        <Line
          isUrgent={pending}
          text={`${t(pending ? 'notCome' : 'resetLinkBody')} ${canMail ? t('alsoMailed') : ''}`}
          button={t(pending ? 'inviteAgain' : 'resetLink')}
          send={() => api('POST /api/users/[id]/invitation', { params, query: { mail: canMail ? locale : undefined } })}
          failed={(error) => (hasStatus(error, 409) ? t('noLink') : undefined)}
          onSaved={(answer) => onInvited({ ...answer, name, email, isReset: !pending })}
        />
      )}
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
