import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The addresses of files are relative to the file that names them, so that the console works below any path. */
export default defineConfig({
  plugins: [react()],
  base: './',
  build: {
    target: 'es2023',
    assetsDir: 'assets',
    // What is inlined as `data:` the content security policy would not run.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
