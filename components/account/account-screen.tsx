'use client'

import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { useDayTimeFormatter } from '@/components/app/clock'
import { DialogForm } from '@/components/app/save-form'
import { useSave, useSaveMutation } from '@/components/app/use-save'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButton } from '@/components/ui/dialog'
import { PageHeader, TitledSection } from '@/components/ui/headings'
import { Notice, OutdatedBanner } from '@/components/ui/notice'
import { requestSignOut } from '@/components/ui/unsaved-work'
import { classifyCredentialError } from '@/lib/api/auth-requests'
import { api, apiQuery } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { Answer, Body } from '@/lib/contract/endpoints'
import { IDLE_HOURS, UNKNOWN_DEVICE } from '@/lib/contract/limits'
import type { Role } from '@/lib/contract/user'
import { AccountRow } from './account-row'
import { NewPasswordFields, PasswordField, useNewPassword } from './password-fields'
import { SecondFactorsSection } from './second-factors-section'

type AccountScreenProps = {
  user: { name: string; email: string; role: Role }
  sessions: Answer<'GET /api/account/sessions'>
  /** The factors are null for a user who has no password here. */
  factors: Answer<'GET /api/account/second-factors'> | null
  isDemo: boolean
}

export function AccountScreen({ user, sessions, factors, isDemo }: AccountScreenProps) {
  const { name, email, role } = user
  const t = useTranslations('account')
  const tRole = useTranslations('common.role')
  return (
    <div className="page">
      {/* The name may be the e-mail, which is then shown once. */}
      <PageHeader title={t('title')} intro={[...new Set([name, email, tRole(role)])].join(' · ')} />
      <div className="flex max-w-3xl flex-col gap-8 pt-1">
        {factors ? (
          <>
            <TitledSection id="password" title={t('password.title')} hint={t('password.body')}>
              <DialogButton
                text={t('password.change')}
                dialog={(close) => <ChangePasswordDialog email={email} onClose={close} />}
              />
            </TitledSection>
            <SecondFactorsSection initialFactors={factors} />
          </>
        ) : (
          <Notice tone="plain">{t(isDemo ? 'demo' : 'elsewhere')}</Notice>
        )}
        <SessionsSection role={role} initialSessions={sessions} />
      </div>
    </div>
  )
}

function ChangePasswordDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const t = useTranslations('account.password')
  const { fault, readPassword, showRefusal } = useNewPassword()
  const { save, busy, error } = useSaveMutation({
    send: (body: Body<'POST /api/account/password'>) => api('POST /api/account/password', { body }),
    successMessage: t('changed'),
    invalidate: 'GET /api/account/sessions',
    onSaved: onClose,
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = readPassword(form)
    if (password !== null) save({ current: String(form.get('current')), password }, { onError: showRefusal })
  }
  // A 400 is left out, because it is about the new password and shown at its field.
  const problem = error === null || hasStatus(error, 400) ? null : t(classifyCredentialError(error))
  const saving = { form: { onSubmit }, busy, problem }
  return (
    <Dialog onClose={onClose} title={t('change')}>
      <DialogForm saving={saving} saveLabel={t('change')} onClose={onClose}>
        {/* The hidden field tells a password manager whose password it is. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField label={t('current')} name="current" autoComplete="current-password" autoFocus />
        <NewPasswordFields fault={fault} />
      </DialogForm>
    </Dialog>
  )
}

type SessionsSectionProps = { role: Role; initialSessions: Answer<'GET /api/account/sessions'> }

function SessionsSection({ role, initialSessions }: SessionsSectionProps) {
  const t = useTranslations('account.sessions')
  const formatDayTime = useDayTimeFormatter()
  const { data, isError } = useQuery({
    ...apiQuery('GET /api/account/sessions'),
    initialData: initialSessions,
    refetchOnWindowFocus: true,
  })
  const { save, busy } = useSave({
    send: async (target: { id: string; device: string } | 'others'): Promise<unknown> =>
      target === 'others'
        ? api('DELETE /api/account/sessions')
        : api('DELETE /api/account/sessions/[id]', { params: { id: target.id } }),
    successMessage: (_, target) => (target === 'others' ? t('othersEnded') : t('ended', { device: target.device })),
    invalidate: 'GET /api/account/sessions',
  })
  return (
    <TitledSection id="sessions" title={t('title')} hint={t('hint', { hours: IDLE_HOURS[role] })}>
      {isError && <OutdatedBanner />}
      <ul className="card overflow-hidden">
        {data.sessions.map(({ id, device, method, address, createdAt, lastUsedAt, current }) => {
          const deviceName = device === UNKNOWN_DEVICE ? t('unknownDevice') : device
          const since = t('since', { when: formatDayTime(createdAt), how: t(`method.${method}`) })
          return (
            <AccountRow
              key={id}
              icon={/Android|iOS/.test(device) ? Smartphone : Monitor}
              title={
                <p className="flex flex-wrap items-center gap-x-2">
                  <span className="font-medium">{deviceName}</span>
                  {current && <Badge>{t('current')}</Badge>}
                </p>
              }
              facts={[since, address, t('lastUsed', { when: formatDayTime(lastUsedAt) })].join(' · ')}
              action={
                <Button
                  text={t('end')}
                  size="sm"
                  disabled={busy}
                  onClick={() => (current ? requestSignOut() : save({ id, device: deviceName }))}
                  aria-label={t('endNamed', { device: deviceName })}
                />
              }
            />
          )
        })}
      </ul>
      {data.sessions.some(({ current }) => !current) && (
        <Button text={t('endOthers')} className="mt-3" disabled={busy} onClick={() => save('others')} />
      )}
    </TitledSection>
  )
}
