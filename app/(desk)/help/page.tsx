import { getLocale } from 'next-intl/server'
import { openPage } from '@/app/(desk)/desk-page'
import { HelpScreen } from '@/components/shell/document-text'
import { readHelp } from '@/server/operations/documents'

const { generateMetadata, Page } = openPage({
  title: (t) => t('documents.help.title'),
  screen: async ({ viewer }) => {
    const locale = await getLocale()
    return <HelpScreen markdown={await readHelp(viewer, locale)} locale={locale} />
  },
})

export { generateMetadata, Page as default }
