'use client'

import { ChevronRight } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { TextField } from '@/components/ui/field'
import { Spinner } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { PasswordField } from './password-field'
import { type SigningIn, useSignIn } from './use-sign-in'

type SignInFormProps = {
  callbackUrl: string
  error: string | null
  notice: string | null
  provider: { name: string } | null
  /** The provider must ask for the account: the one it knows has just left, or may not come in. */
  otherAccount: boolean
  /** Everybody signs in at the provider; a password is for the day it is down. */
  isPasswordForEmergencies: boolean
  isDemo: boolean
}

export function SignInForm({ callbackUrl, error, notice, isDemo, ...props }: SignInFormProps) {
  const t = useTranslations('signin')
  const signIn = useSignIn(callbackUrl, error)
  const box = useFocusOnFailure(signIn.error, error)
  const provider = signIn.awaitingFactor === null ? props.provider : null
  return (
    <div ref={box} className="flex flex-col gap-5">
      <Message error={signIn.error} notice={notice} />
      {provider && (
        <Button
          text={t('withProvider', { name: provider.name })}
          variant="primary"
          size="lg"
          busy={signIn.busy === 'provider'}
          disabled={signIn.busy !== null}
          onClick={() => void signIn.withProvider(props.otherAccount)}
        />
      )}
      {provider && props.isPasswordForEmergencies ? (
        <Disclosure title={t('emergency')} summary="">
          <div className="flex flex-col gap-5 p-2">
            <p className="text-xs text-mute">{t('emergencyHint')}</p>
            <OwnAccount signIn={signIn} isSecond isDemo={isDemo} />
          </div>
        </Disclosure>
      ) : (
        <>
          {provider && <Divider>{t('or')}</Divider>}
          <OwnAccount signIn={signIn} isSecond={provider !== null} isDemo={isDemo} />
        </>
      )}
    </div>
  )
}

/** What was refused is marked, to be written over: the button that was pressed has lost the focus by waiting. */
function useFocusOnFailure(error: string | null, firstError: string | null): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== null && error !== firstError)
      box.current?.querySelector<HTMLInputElement>('[name=code], [name=password]')?.select()
  }, [error, firstError])
  return box
}

function Message({ error, notice }: { error: string | null; notice: string | null }) {
  if (error === null && notice === null) return null
  return (
    <Notice tone={error === null ? 'plain' : 'danger'} role={error === null ? 'status' : 'alert'}>
      {error ?? notice}
    </Notice>
  )
}

type OwnAccountProps = { signIn: SigningIn; isSecond: boolean }

function OwnAccount({ signIn, isSecond, isDemo }: OwnAccountProps & { isDemo: boolean }) {
  const t = useTranslations('signin')
  if (signIn.awaitingFactor !== null) return <SecondFactorForm signIn={signIn} />
  return (
    <>
      <PasswordForm signIn={signIn} isSecond={isSecond} />
      {isDemo ? <DemoAccounts signIn={signIn} /> : <p className="text-xs text-mute">{t('forgotten')}</p>}
    </>
  )
}

/** The method keeps the password out of the address should the form be sent before the script has come. */
function PasswordForm({ signIn, isSecond }: OwnAccountProps) {
  const t = useTranslations('signin')
  const { busy } = signIn
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void signIn.withPassword({ email: String(form.get('email')), password: String(form.get('password')) })
  }
  return (
    <form method="post" action="/api/auth/callback/credentials" onSubmit={submit} className="flex flex-col gap-4">
      <TextField label={t('email')} name="email" type="email" autoComplete="username" required maxLength={200} />
      <PasswordField label={t('password')} name="password" autoComplete="current-password" maxLength={2_000} />
      <Button
        text={t('submit')}
        type="submit"
        variant={isSecond ? 'secondary' : 'primary'}
        size="lg"
        className="mt-1"
        busy={busy === 'password'}
        disabled={busy !== null}
      />
    </form>
  )
}

function SecondFactorForm({ signIn }: { signIn: SigningIn }) {
  const t = useTranslations('signin.factor')
  const { busy } = signIn
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void signIn.withCode(String(new FormData(event.currentTarget).get('code')))
  }
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={t('code')}
        hint={t('hint')}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        maxLength={40}
        autoFocus
        className="tabular"
      />
      <Button
        text={t('submit')}
        type="submit"
        variant="primary"
        size="lg"
        busy={busy === 'code'}
        disabled={busy !== null}
      />
      <Button text={t('back')} variant="ghost" onClick={signIn.startOver} />
    </form>
  )
}

function Divider({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </div>
  )
}

const accounts = [
  { role: 'staff', email: 'staff@demo.test' },
  { role: 'manager', email: 'manager@demo.test' },
  { role: 'admin', email: 'admin@demo.test' },
] as const

function DemoAccounts({ signIn: { busy, withPassword } }: { signIn: SigningIn }) {
  const t = useTranslations('signin.demo')
  const common = useTranslations('common')
  return (
    <section aria-labelledby="demo-accounts" className="mt-3">
      <h2 id="demo-accounts" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mb-3 text-xs text-mute">{t('body')}</p>
      <ul className="divide-y divide-line-soft overflow-hidden rounded-lg border border-line bg-panel shadow-card">
        {accounts.map(({ role, email }) => (
          <li key={role}>
            <button
              type="button"
              disabled={busy !== null}
              onClick={() => void withPassword({ email, password: 'demo' }, email)}
              className="flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left -outline-offset-2 transition-colors hover:bg-hover disabled:opacity-60"
            >
              <span className="flex-1">
                <span className="block text-sm font-medium">{common(`role.${role}`)}</span>
                <span className="block text-xs text-mute">{t(role)}</span>
              </span>
              {busy === email ? <Spinner /> : <ChevronRight className="size-4 text-faint" />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
