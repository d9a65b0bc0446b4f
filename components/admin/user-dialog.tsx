import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { DialogForm, useSaveForm } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { Confirm, Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { NewUser, Role, User, UserChange } from '@/lib/contract/user'
import { Choice, FieldGroup, SchoolField } from './school-field'
import { GivenAccess, type Invitation, InvitationLink, useMailLanguage, UserAccess } from './user-access'
import { changesOf, errorKeysOf, refusalOf, ROLES } from './user-change'

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
  const mail = useMailLanguage(canMail)
  const [user, setUser] = useState<NewUser>({ name: '', email: '', role: 'staff', schools: [] })
  const set = (part: Partial<NewUser>) => setUser({ ...user, ...part })
  const values = { ...user, name: user.name.trim(), email: user.email.trim() }
  const translate = (keys: ReturnType<typeof errorKeysOf>) =>
    Object.fromEntries(Object.entries(keys).map(([field, word]) => [field, t(word)]))
  const { errorOf, ...saving } = useSaveForm({
    values,
    errors: translate(errorKeysOf(values)),
    send: (body) => api('POST /api/users', { query: { mail }, body }),
    failed: (error) => {
      const refusal = refusalOf(error)
      return typeof refusal === 'string' ? t(refusal) : refusal && translate(refusal)
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
  const [access, setAccess] = useState<Pick<User, 'role' | 'schools'>>(user)
  const change = changesOf(user, access)
  const noSchools = access.schools.length === 0 && !user.singleSignOn?.schools ? t('schools.none') : undefined
  const options = { ...useChange(user, onClose), values: change, errors: { noSchools } }
  const { errorOf, save, ...saving } = useSaveForm(options)
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
      <GivenAccess user={user} />
      <AccessFields user={user} access={access} onAccess={setAccess} wrong={wrong} />
    </DialogForm>
  )
}

type AccessFieldsProps = {
  user: User
  access: Pick<User, 'role' | 'schools'>
  onAccess: (access: Pick<User, 'role' | 'schools'>) => void
  wrong: { role: string | undefined; schools: string | undefined }
}

function AccessFields({ user, access, onAccess, wrong }: AccessFieldsProps) {
  const t = useTranslations('adminUsers')
  const isOwn = useCurrentUser()?.id === user.id
  const provided = user.singleSignOn
  return (
    <>
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

function useChange({ id, name, role }: User, onSaved: () => void) {
  const t = useTranslations('adminUsers')
  return {
    send: (body: UserChange) => api('PATCH /api/users/[id]', { params: { id }, body }),
    done: (_: unknown, { disabled }: UserChange) =>
      disabled === undefined ? t('saved') : t(disabled ? 'disabledToast' : 'enabledToast', { name }),
    failed: (error: Error, sent: UserChange) => {
      if (hasStatus(error, 403)) return t('notAllowed')
      if (!hasStatus(error, 409)) return undefined
      if (role === 'admin' && sent.role !== undefined) return { role: t('lastAdmin') }
      // Otherwise single sign-on gives them meanwhile what was to be changed.
      return t(role === 'admin' && sent.disabled !== undefined ? 'lastAdmin' : 'signOn.given')
    },
    refresh: 'GET /api/users' as const,
    onSaved,
  }
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
