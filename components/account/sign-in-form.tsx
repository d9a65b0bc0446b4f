'use client'

import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { type Credentials, postPasswordSignIn, postSingleSignOn } from '@/lib/api/auth-requests'
import { formatShortDuration } from '@/lib/time/format-time'
import { PasswordField } from './password-fields'

type SignInFormProps = {
  callbackUrl: string
  error: string | null
  notice: string | null
  provider: { name: string } | null
  /** The provider asks which account to use, because the one it remembers has just signed out or was refused. */
  mustChooseAccount: boolean
  /** Everybody signs in at the provider; the password form is for when the provider is down. */
  isPasswordForEmergencies: boolean
  isDemo: boolean
}

/** `busyMethod` is the provider, the form, or the e-mail of a demo account; `credentials` wait for their second factor. */
type SignInState = { busyMethod: string | null; error: string | null; credentials: Credentials | null }

export function SignInForm({ callbackUrl, error: firstError, notice, ...props }: SignInFormProps) {
  const t = useTranslations('signin')
  const locale = useLocale()
  const [attempt, setAttempt] = useState<SignInState>({ busyMethod: null, error: firstError, credentials: null })
  const { busyMethod, error, credentials } = attempt
  const box = useRef<HTMLDivElement>(null)
  // A refused code or password is selected, so that the user can type over it; the disabled button has lost the focus.
  useEffect(() => {
    if (error !== null && error !== firstError)
      box.current?.querySelector<HTMLInputElement>('[name=code], [name=password]')?.select()
  }, [error, firstError])
  const signIn = async (entered: Credentials, method: string) => {
    setAttempt({ busyMethod: method, error: null, credentials })
    const result = await postPasswordSignIn({ ...entered, callbackUrl })
    // The browser loads a whole new page, so that nothing from before signing in is kept.
    if (result.ok) return location.assign(result.path)
    if (result.reason === 'factorNeeded') return setAttempt({ busyMethod: null, error: null, credentials: entered })
    const isWrongCode = result.reason === 'wrong' && credentials !== null
    const message =
      'retryAfterSeconds' in result
        ? t(`error.${result.reason}`, { time: formatShortDuration(result.retryAfterSeconds * 1000, locale) })
        : t(`error.${isWrongCode ? 'wrongFactor' : result.reason}`)
    setAttempt({ busyMethod: null, error: message, credentials })
  }
  const signInAtProvider = async () => {
    setAttempt({ busyMethod: 'provider', error: null, credentials })
    const url = await postSingleSignOn(callbackUrl, props.mustChooseAccount ? 'login' : undefined)
    if (url !== null) return location.assign(url)
    setAttempt({ busyMethod: null, error: t('error.unreachable'), credentials })
  }
  const provider = credentials === null ? props.provider : null
  const passwordSection = (
    <>
      <CredentialsForm {...attempt} isSecondary={provider !== null} signIn={signIn} />
      {credentials !== null && (
        <Button
          text={t('factor.back')}
          variant="ghost"
          onClick={() => setAttempt({ busyMethod: null, error: null, credentials: null })}
        />
      )}
      {credentials === null && props.isDemo && <DemoAccounts busyMethod={busyMethod} signIn={signIn} />}
      {credentials === null && !props.isDemo && <p className="text-xs text-mute">{t('forgotten')}</p>}
    </>
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
          busy={busyMethod === 'provider'}
          disabled={busyMethod !== null}
          onClick={() => void signInAtProvider()}
        />
      )}
      {provider && props.isPasswordForEmergencies ? (
        <Disclosure title={t('emergency')} summary="">
          <div className="flex flex-col gap-5 p-2">
            <p className="text-xs text-mute">{t('emergencyHint')}</p>
            {passwordSection}
          </div>
        </Disclosure>
      ) : (
        <>
          {provider && <p className="text-center text-xs text-faint">{t('or')}</p>}
          {passwordSection}
        </>
      )}
    </div>
  )
}

type SignInProps = { signIn: (entered: Credentials, method: string) => Promise<void> }
type CredentialsFormProps = SignInState & SignInProps & { isSecondary: boolean }

/** Asks for e-mail and password, then for the second factor. */
function CredentialsForm({ busyMethod, credentials, isSecondary, signIn }: CredentialsFormProps) {
  const t = useTranslations('signin')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const readField = (name: string) => String(form.get(name))
    const entered = { email: readField('email'), password: readField('password') }
    void signIn(credentials === null ? entered : { ...credentials, code: readField('code') }, 'form')
  }
  return (
    // The method keeps the password out of the address if the form is sent before the script is loaded.
    <form method="post" action="/api/auth/callback/credentials" onSubmit={submit} className="flex flex-col gap-4">
      {credentials === null ? (
        <>
          <TextField label={t('email')} name="email" type="email" autoComplete="username" required maxLength={200} />
          <PasswordField label={t('password')} name="password" autoComplete="current-password" maxLength={2_000} />
        </>
      ) : (
        <TextField
          label={t('factor.code')}
          hint={t('factor.hint')}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          required
          maxLength={40}
          autoFocus
          className="tabular"
        />
      )}
      <Button
        text={t(credentials === null ? 'submit' : 'factor.submit')}
        type="submit"
        variant={isSecondary ? 'secondary' : 'primary'}
        size="lg"
        className="mt-1"
        busy={busyMethod === 'form'}
        disabled={busyMethod !== null}
      />
    </form>
  )
}

function DemoAccounts({ busyMethod, signIn }: SignInProps & Pick<SignInState, 'busyMethod'>) {
  const t = useTranslations('signin.demo')
  const common = useTranslations('common')
  return (
    <section aria-labelledby="demo-accounts" className="mt-3">
      <h2 id="demo-accounts" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mb-3 text-xs text-mute">{t('body')}</p>
      <ul className="flex flex-col gap-2">
        {(['staff', 'manager', 'admin'] as const).map((role) => {
          const email = `${role}@demo.test`
          const text = (
            <span className="flex-1 py-2 text-left">
              <span className="block">{common(`role.${role}`)}</span>
              <span className="block text-xs font-normal whitespace-normal text-mute">{t(role)}</span>
            </span>
          )
          return (
            <li key={role}>
              <Button
                text={text}
                size="lg"
                className="h-auto w-full"
                busy={busyMethod === email}
                disabled={busyMethod !== null}
                onClick={() => void signIn({ email, password: 'demo' }, email)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
