'use client'

import { ChevronRight } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { TextField } from '@/components/ui/field'
import { Spinner } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { type Credentials, signInWithPassword, singleSignOnUrl } from '@/lib/api/auth-requests'
import { shortDuration } from '@/lib/time/format-time'
import { PasswordField } from './password-field'

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

export function SignInForm({ callbackUrl, error: firstError, notice, isDemo, ...props }: SignInFormProps) {
  const t = useTranslations('signin')
  const signIn = useSignIn(callbackUrl, firstError)
  const { error, busy, awaitingFactor } = signIn
  const box = useRef<HTMLDivElement>(null)
  // What was refused is marked, to be written over: the button that was pressed has lost the focus by waiting.
  useEffect(() => {
    if (error !== null && error !== firstError)
      box.current?.querySelector<HTMLInputElement>('[name=code], [name=password]')?.select()
  }, [error, firstError])
  const provider = awaitingFactor === null ? props.provider : null
  const ownAccount =
    awaitingFactor === null ? (
      <>
        <PasswordForm signIn={signIn} isSecond={provider !== null} />
        {isDemo ? <DemoAccounts signIn={signIn} /> : <p className="text-xs text-mute">{t('forgotten')}</p>}
      </>
    ) : (
      <SecondFactorForm signIn={signIn} />
    )
  return (
    <div ref={box} className="flex flex-col gap-5">
      {(error ?? notice) !== null && (
        <Notice tone={error === null ? 'plain' : 'danger'} role={error === null ? 'status' : 'alert'}>
          {error ?? notice}
        </Notice>
      )}
      {provider && (
        <Button
          text={t('withProvider', { name: provider.name })}
          variant="primary"
          size="lg"
          busy={busy === 'provider'}
          disabled={busy !== null}
          onClick={() => void signIn.withProvider(props.otherAccount)}
        />
      )}
      {provider && props.isPasswordForEmergencies ? (
        <Disclosure title={t('emergency')} summary="">
          <div className="flex flex-col gap-5 p-2">
            <p className="text-xs text-mute">{t('emergencyHint')}</p>
            {ownAccount}
          </div>
        </Disclosure>
      ) : (
        <>
          {provider && (
            <div className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
              {t('or')}
            </div>
          )}
          {ownAccount}
        </>
      )}
    </div>
  )
}

type SigningIn = ReturnType<typeof useSignIn>

/** The progress of signing in. `busy` is a method, or the e-mail of a demo account. */
function useSignIn(callbackUrl: string, firstError: string | null) {
  const t = useTranslations('signin.error')
  const locale = useLocale()
  const [{ busy, error }, setAttempt] = useState<{ busy: string | null; error: string | null }>({
    busy: null,
    error: firstError,
  })
  const [awaitingFactor, setAwaitingFactor] = useState<Credentials | null>(null)
  const begin = (method: string) => setAttempt({ busy: method, error: null })
  const fail = (text: string | null) => setAttempt({ busy: null, error: text })
  const withPassword = async (credentials: Credentials, method = 'password') => {
    begin(method)
    const result = await signInWithPassword({ ...credentials, callbackUrl })
    // A whole new page, so that nothing of the time before signing in is kept.
    if (result.ok) return location.assign(result.path)
    if (result.reason === 'factorNeeded') {
      fail(null)
      return setAwaitingFactor(credentials)
    }
    if ('retryAfterSeconds' in result)
      return fail(t(result.reason, { time: shortDuration(result.retryAfterSeconds * 1000, locale) }))
    fail(t(result.reason === 'wrong' && awaitingFactor !== null ? 'wrongFactor' : result.reason))
  }
  return {
    busy,
    error,
    awaitingFactor,
    withPassword,
    withCode: async (code: string) => awaitingFactor && withPassword({ ...awaitingFactor, code }, 'code'),
    withProvider: async (otherAccount: boolean) => {
      begin('provider')
      const url = await singleSignOnUrl(callbackUrl, otherAccount ? 'login' : undefined)
      if (url !== null) return location.assign(url)
      fail(t('unreachable'))
    },
    startOver: () => {
      setAwaitingFactor(null)
      fail(null)
    },
  }
}

/** The method keeps the password out of the address should the form be sent before the script has come. */
function PasswordForm({ signIn: { busy, withPassword }, isSecond }: { signIn: SigningIn; isSecond: boolean }) {
  const t = useTranslations('signin')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void withPassword({ email: String(form.get('email')), password: String(form.get('password')) })
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

function SecondFactorForm({ signIn: { busy, withCode, startOver } }: { signIn: SigningIn }) {
  const t = useTranslations('signin.factor')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void withCode(String(new FormData(event.currentTarget).get('code')))
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
      <Button text={t('submit')} type="submit" variant="primary" size="lg" busy={busy !== null} />
      <Button text={t('back')} variant="ghost" onClick={startOver} />
    </form>
  )
}

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
        {(['staff', 'manager', 'admin'] as const).map((role) => {
          const email = `${role}@demo.test`
          return (
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
          )
        })}
      </ul>
    </section>
  )
}
