import { documentPage } from '@/app/(desk)/admin/document-page'

const { generateMetadata, Page } = documentPage('privacy')

export { generateMetadata, Page as default }
