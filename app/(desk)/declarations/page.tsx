import { listPage } from '@/app/(desk)/list-page'

const { generateMetadata, Page } = listPage('declarations-of-interest')

export { generateMetadata, Page as default }
