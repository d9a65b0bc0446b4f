import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { Button } from '@/components/ui/button'
import { Confirmation, FormFrame } from '@/components/ui/dialog-frame'
import type { User } from '@/lib/contract/user'
import { useFirstFault } from './first-fault'
import { changesOf, useChangeUser } from './user-change'
import { UserFactors, UserSessions } from './user-access'
import { RoleField, SchoolField } from './user-fields'
import { type Invitation, NewLink } from './user-invitation'
import { GivenAccess, SignOnNote } from './user-sign-on'

type EditUserFormProps = {
  user: User
  onTitle: (title: string | null) => void
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}
type Access = Pick<User, 'role' | 'schools'>
type Step = 'form' | 'disable' | 'toAdmin'

/** Role and schools of a person. Disabling somebody, or making them an administrator, asks first. */
export function EditUserForm({ user, onTitle, onInvited, onClose }: EditUserFormProps) {
  const [access, setAccess] = useState<Access>(user)
  const { form, show } = useFirstFault()
  const { save, isPending, failure, isLastAdmin } = useChangeUser(user, { onSaved: onClose, onFailed: show })
  const isOwnRole = useCurrentUser()?.id === user.id && access.role !== user.role
  const change = changesOf(user, access)
  const [step, go] = useStep(user, onTitle)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (access.schools.length === 0 && !user.singleSignOn?.schools) show()
    else if (change.role === 'admin') go('toAdmin')
    else save(change)
  }
  if (step !== 'form') {
    return (
      <Confirm
        step={step}
        isBusy={isPending}
        failure={failure}
        onBack={() => go('form')}
        onYes={() => save(step === 'disable' ? { disabled: true } : change)}
      />
    )
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-col">
      <FormFrame
        problem={isLastAdmin ? null : failure}
        actions={
          <Actions
            user={user}
            isBusy={isPending}
            isUnchanged={Object.keys(change).length === 0}
            onEnable={() => save({ disabled: false })}
            onDisable={() => go('disable')}
          />
        }
      >
        <Whereabouts user={user} onInvited={onInvited} />
        <Fields
          user={user}
          access={access}
          roleError={isLastAdmin && change.role !== undefined ? failure : null}
          isOwnRole={isOwnRole}
          onChange={(part) => setAccess({ ...access, ...part })}
        />
      </FormFrame>
    </form>
  )
}

/** How the person is reached, how they come in, and whether they are here now. */
function Whereabouts({ user, onInvited }: Pick<EditUserFormProps, 'user' | 'onInvited'>) {
  return (
    <>
      <p className="text-sm text-mute wrap-anywhere">{user.email}</p>
      <div className="shrink-0 overflow-hidden rounded-md border border-line empty:hidden">
        <NewLink user={user} onInvited={onInvited} />
        <SignOnNote user={user} />
        <UserSessions user={user} />
        <UserFactors user={user} />
      </div>
      <GivenAccess user={user} />
    </>
  )
}

/** The form or what it asks about, with the dialog's title for it. */
function useStep({ name }: User, onTitle: (title: string | null) => void): [Step, (next: Step) => void] {
  const t = useTranslations('adminUsers')
  const [step, setStep] = useState<Step>('form')
  const go = (next: Step) => {
    setStep(next)
    onTitle(next === 'form' ? null : t(`${next}Title`, { name }))
  }
  return [step, go]
}

type ConfirmProps = {
  step: 'disable' | 'toAdmin'
  isBusy: boolean
  failure: string | null
  onBack: () => void
  onYes: () => void
}

/** What it means, before it is done. */
function Confirm({ step, isBusy, failure, onBack, onYes }: ConfirmProps) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common')
  return (
    <Confirmation
      text={t(`${step}Body`)}
      problem={failure}
      actions={
        <>
          <Button autoFocus onClick={onBack}>
            {common('back')}
          </Button>
          <Button variant="danger" busy={isBusy} onClick={onYes}>
            {t(step)}
          </Button>
        </>
      }
    />
  )
}

type FieldsProps = {
  user: User
  /** The role that changes is one's own. */
  isOwnRole: boolean
  access: Access
  /** Why the role cannot be so. */
  roleError: string | null
  onChange: (part: Partial<Access>) => void
}

function Fields({ user: { singleSignOn }, isOwnRole, access: { role, schools }, roleError, onChange }: FieldsProps) {
  const t = useTranslations('adminUsers')
  const error = schools.length === 0 ? t('schools.none') : undefined
  return (
    <>
      {!singleSignOn?.role && (
        <RoleField role={role} error={roleError ?? undefined} onRole={(next) => onChange({ role: next })} />
      )}
      {isOwnRole && <p className="text-sm text-danger">{t('ownRole')}</p>}
      {!singleSignOn?.schools && (
        <SchoolField schools={schools} error={error} onSchools={(next) => onChange({ schools: next })} />
      )}
    </>
  )
}

type ActionsProps = {
  user: User
  isBusy: boolean
  isUnchanged: boolean
  onEnable: () => void
  onDisable: () => void
}

function Actions({ user, isBusy, isUnchanged, onEnable, onDisable }: ActionsProps) {
  const t = useTranslations('adminUsers')
  return (
    <>
      {user.disabled ? (
        <Button busy={isBusy} onClick={onEnable}>
          {t('enable')}
        </Button>
      ) : (
        <Button variant="danger" onClick={onDisable}>
          {t('disable')}
        </Button>
      )}
      <span className="flex-1" />
      <Button type="submit" variant="primary" busy={isBusy} disabled={isUnchanged}>
        {t('save')}
      </Button>
    </>
  )
}
