import { getLocale } from 'next-intl/server'
import { openPage } from '@/app/(desk)/desk-page'
import { HelpScreen } from '@/components/shell/document-text'
import { readHelp } from '@/server/operations/documents'

const page = openPage({
  title: (t) => t('documents.help.title'),
  screen: async ({ viewer }) => {
    const locale = await getLocale()
    return <HelpScreen markdown={await readHelp(viewer, locale)} locale={locale} />
  },
})

export const generateMetadata = page.metadata
export default page.Page
