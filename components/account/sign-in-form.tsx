'use client'

import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { type Credentials, postPasswordSignIn, postSingleSignOn } from '@/lib/api/auth-requests'
import { ROLES } from '@/lib/contract/limits'
import { formatShortDuration } from '@/lib/time/format-time'
import { PasswordField } from './password-fields'

type SignInFormProps = {
  callbackUrl: string
  initialError: string | null
  notice: string | null
  provider: { name: string } | null
  /** The provider asks which account to use, because the one it remembers has just signed out or was refused. */
  mustChooseAccount: boolean
  /** Everybody signs in at the provider; the password form is for when the provider is down. */
  isPasswordForEmergencies: boolean
  isDemo: boolean
}

/** Signs in by password, then by a code if the user has a second factor, or at the provider of single sign-on. */
export function SignInForm(props: SignInFormProps) {
  const { callbackUrl, initialError, notice, provider, mustChooseAccount, isPasswordForEmergencies, isDemo } = props
  const t = useTranslations('signin')
  const signIn = useSignIn(callbackUrl, initialError)
  const { busyButton, error, credentials } = signIn
  const root = useRef<HTMLDivElement>(null)
  // A refused code or password is selected, so that the user can type over it; the disabled button has lost the focus.
  useEffect(() => {
    if (error !== null && error !== initialError)
      root.current?.querySelector<HTMLInputElement>('[name=code], [name=password]')?.select()
  }, [error, initialError])
  // The provider is not offered to a user who must enter a code, because they have begun with a password.
  const offeredProvider = credentials === null ? provider : null
  const passwordSection = (
    <>
      <CredentialsForm {...signIn} isSecondary={offeredProvider !== null} />
      {credentials !== null && <Button text={t('factor.back')} variant="ghost" onClick={signIn.reset} />}
      {credentials === null && isDemo && <DemoAccounts {...signIn} />}
      {credentials === null && !isDemo && <p className="text-xs text-mute">{t('forgotten')}</p>}
    </>
  )
  return (
    <div ref={root} className="flex flex-col gap-5">
      {(error ?? notice) !== null && (
        <Notice tone={error === null ? 'plain' : 'danger'} role={error === null ? 'status' : 'alert'}>
          {error ?? notice}
        </Notice>
      )}
      {offeredProvider && (
        <Button
          text={t('withProvider', { name: offeredProvider.name })}
          variant="primary"
          size="lg"
          busy={busyButton === 'provider'}
          disabled={busyButton !== null}
          onClick={() => void signIn.signInAtProvider(mustChooseAccount)}
        />
      )}
      {offeredProvider && isPasswordForEmergencies ? (
        <Disclosure title={t('emergency')} summary="">
          <div className="flex flex-col gap-5 p-2">
            <p className="text-xs text-mute">{t('emergencyHint')}</p>
            {passwordSection}
          </div>
        </Disclosure>
      ) : (
        <>
          {offeredProvider && <p className="text-center text-xs text-faint">{t('or')}</p>}
          {passwordSection}
        </>
      )}
    </div>
  )
}

/** `busyButton` is the provider, the form, or a demo account's e-mail; `credentials` wait for their second factor. */
type SignInState = { busyButton: string | null; error: string | null; credentials: Credentials | null }
const IDLE: SignInState = { busyButton: null, error: null, credentials: null }

type SignIn = ReturnType<typeof useSignIn>

/** Success loads a new page, so only refusals change the state. */
function useSignIn(callbackUrl: string, initialError: string | null) {
  const t = useTranslations('signin')
  const locale = useLocale()
  const [state, setState] = useState<SignInState>({ ...IDLE, error: initialError })
  const { credentials } = state
  return {
    ...state,
    reset: () => setState(IDLE),
    signInByPassword: async (entered: Credentials, pressedButton: string) => {
      setState({ busyButton: pressedButton, error: null, credentials })
      const result = await postPasswordSignIn({ ...entered, callbackUrl })
      if (result.ok) return location.assign(result.path)
      if (result.reason === 'factorNeeded') return setState({ ...IDLE, credentials: entered })
      const isWrongCode = result.reason === 'wrong' && credentials !== null
      const error =
        'retryAfterSeconds' in result
          ? t(`error.${result.reason}`, { time: formatShortDuration(result.retryAfterSeconds * 1000, locale) })
          : t(`error.${isWrongCode ? 'wrongFactor' : result.reason}`)
      setState({ busyButton: null, error, credentials })
    },
    signInAtProvider: async (mustChooseAccount: boolean) => {
      setState({ ...IDLE, busyButton: 'provider' })
      const url = await postSingleSignOn(callbackUrl, mustChooseAccount ? 'login' : undefined)
      if (url !== null) return location.assign(url)
      setState({ ...IDLE, error: t('error.unreachable') })
    },
  }
}

type CredentialsFormProps = Pick<SignIn, 'busyButton' | 'credentials' | 'signInByPassword'> & { isSecondary: boolean }

function CredentialsForm({ busyButton, credentials, isSecondary, signInByPassword }: CredentialsFormProps) {
  const t = useTranslations('signin')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const readField = (name: string) => String(form.get(name))
    const entered = { email: readField('email'), password: readField('password') }
    void signInByPassword(credentials === null ? entered : { ...credentials, code: readField('code') }, 'form')
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
        busy={busyButton === 'form'}
        disabled={busyButton !== null}
      />
    </form>
  )
}

const DEMO_PASSWORD = 'demo'

function DemoAccounts({ busyButton, signInByPassword }: Pick<SignIn, 'busyButton' | 'signInByPassword'>) {
  const t = useTranslations('signin.demo')
  const tRole = useTranslations('common.role')
  return (
    <section aria-labelledby="demo-accounts" className="mt-3">
      <h2 id="demo-accounts" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mb-3 text-xs text-mute">{t('body')}</p>
      <ul className="flex flex-col gap-2">
        {ROLES.map((role) => {
          const email = `${role}@demo.test`
          const text = (
            <span className="flex-1 py-2 text-left">
              <span className="block">{tRole(role)}</span>
              <span className="block text-xs font-normal whitespace-normal text-mute">{t(role)}</span>
            </span>
          )
          return (
            <li key={role}>
              <Button
                text={text}
                size="lg"
                className="h-auto w-full"
                busy={busyButton === email}
                disabled={busyButton !== null}
                onClick={() => void signInByPassword({ email, password: DEMO_PASSWORD }, email)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
