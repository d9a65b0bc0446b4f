import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { metadataOf } from '@/app/(desk)/desk-page'
import { whileThere } from '@/app/(desk)/while-there'
import { ClientMessages } from '@/components/desk/client-messages'
import { Entrance } from '@/components/signin/entrance'
import { SignInForm } from '@/components/signin/sign-in-form'
import { Notice } from '@/components/ui/notice'
import { SIGN_ON_CAUSES } from '@/lib/contract/feed-status'
import { isNobodyYet } from '@/server/access/first-users'
import { callbackPath } from '@/server/http/auth-actions'
import { currentViewer } from '@/server/http/page-viewer'
import { calledAs, env } from '@/server/base/env'
import { services } from '@/server/base/services'

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export const generateMetadata = metadataOf({ title: (t) => t('signin.title') })

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { callbackUrl, error, signedOut } = await searchParams
  const path = callbackPath(pathIn(callbackUrl))
  if (await currentViewer(services())) redirect(path)
  const t = await getTranslations('signin')
  const { mode, oidc, passwordSignIn } = env()
  const wrong = error === undefined ? null : errorNamed(error)
  return (
    <ClientMessages areas={['signin', 'shell', 'trouble']}>
      <Entrance title={t('title')} lead={t('lead')}>
        <SignInForm
          callbackUrl={path}
          error={wrong && t(`error.${wrong}`)}
          notice={signedOut === undefined ? null : t('signedOut')}
          provider={oidc && { name: oidc.name }}
          otherAccount={signedOut !== undefined || wrong?.startsWith('signOn') === true}
          isPasswordForEmergencies={!passwordSignIn}
          isDemo={mode === 'demo'}
        />
        {(await whileThere(() => isNobodyYet(services()))) === true && (
          <Notice role="status">
            <strong className="block font-semibold">{t('nobodyYet.title')}</strong>
            {t('nobodyYet.body', { command: calledAs('admin') })}
          </Notice>
        )}
      </Entrance>
    </ClientMessages>
  )
}

/** Next-auth puts whole addresses here; `callbackPath` takes paths. */
function pathIn(callbackUrl: string | string[] | undefined): string | null {
  const wanted = typeof callbackUrl === 'string' ? callbackUrl : null
  if (wanted === null || !URL.canParse(wanted)) return wanted
  const { pathname, search } = new URL(wanted)
  return pathname + search
}

/** The others are next-auth's: https://next-auth.js.org/configuration/pages#error-codes */
function errorNamed(code: string | string[]) {
  const signOn = SIGN_ON_CAUSES.find((cause) => code === `SignOn-${cause}`)
  if (signOn) return `signOn.${signOn}` as const
  if (code === 'CredentialsSignin') return 'wrong'
  return code === 'Configuration' || code === 'Unavailable' ? 'unavailable' : 'provider'
}
