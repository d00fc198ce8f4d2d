// Word lists: what every query needs. Where a list has digits, each word is the number of characters that it has in
// common with the word before, and the rest of it. Of format/text/data, made by runtime/browser/languages.
export const words =
  "0a1bout3ve1fter1gain5st1ll2so1m1n2d2y1re3nt1s1t0be2cause2en2fore2ing2low2tween1oth1ut1y0can3not3t1ould5nt0did3" +
  "nt1o2es4nt2ing2nt2wn1uring0each0few1or1rom1urther0had3nt2s3nt2ve4nt3ing1e2r3e3s4elf1im3self2s1ow0i1f1m1n2to1s2" +
  "nt1t2s3elf1ve0just0let0me1ore2st1ust1y2self0no2r2t2w0of2f1n2ce2ly1r1ther1ught2r3s4elves2t1ver1wn0same1hall3nt2" +
  "e2ould6nt1o2me1uch0than3t4s2e3ir5s3m4selves3n3re3se3y4re2is2ose2rough1o2o0under2til1p2on0very0was3nt1e2re4nt1h" +
  "at2en3re3ther2ich3le2o3m3se2y1ill2th4in4out1ont2uld5nt0you3r4e4s5elf7ves";
/** Abbreviations of all languages. */
export const abbreviations =
  "0al1pprox2r1rt1ug0bijv1l.a1zw0ca1f1h1o2rp0d.h2w.z1ec2pt1r1ña0e.g1cc1d2s1g1j1q1s2t1tc1x2cl0f.eks1eb1ig3s0ggf0i." +
  "e1e1nc3l0jan1r1ul2n0ltd0m.in1ar2x1in1r2s1s0např1o2s2v1p1r1um1úm0o.a1ct0p1.ej3x1p1rof1ág3s0resp0sec2p3t1r2a1t0t" +
  ".ex1j1zn0u.a1d2s1sw0vol1s0z.b0örn0див1р0напр0рис0см1тр0т.д2е2к2п";
/** The function words of languages in Latin letters but English: see english.ts. */
export const others =
  "D6ooCFuDCG/MwNcfMDDQHgFB979G/FnOst71opOeFiWiSIyWJENuMluvkFmtKf2ZfD1lQvkx6EVDIy7R4ysrbs5oQds5hMaIIZhs9TqAaq9bU8" +
  "xQ8rkAn5ecAsDOx1VkrbiOJRTjXoc5LJQ+q3CtEoMp9zSvU6Ys5Go/hZlCVWAWMUJmdAxody+CnWODATCgUVgUE+I2/FxEELSgfo0wJMdJF4EU" +
  "wK1md61spJLhdoSmQcDXpaligozVuaUKTTxCKNfrN7XUBEp8jQPYn6rANCB+FTPZGnl0Ydib1+SRk3ElY5VkCoGIRgHxLXwSOtA93AO2BJP2Jy" +
  "tFN6yy9MiAHMSwFAO5wktAxQf5lgAJ9C4zraar6uquMdwCVMxIAQxSFVQUpGmNA2mK2PjdM6Tynx2Iu9XQTVbCQFAYHo0wZLwGi5L5jcXXUatn" +
  "ykqbP0CwQQxA5xD8JyCjFG06KSNmgM09+pZigOWIJiIAjmJjQVLzp3BAi99wmLx776DwaYNYtEfQhiYcWYz4QVTMZpe8uTseodkyFNm7gsBCcL" +
  "UGiz5GEKeRI87aFAgj6YJFIZXe6vRxCySQxeIYQhI1AkxMKDGpbceUgIPC2ubtCF9EVh03H4AbBMDY/FyWBHYoGo2IZ0nCpTfamfZKWwCnHIY6" +
  "okDf3oZGym0kcSCAMISfoU42Y+R2sisF+KkcouKTxcCOSKtzkYCCiDJkgkOOzZFUg6XlKNq+qDcRhOUwUihkUqA8XHU6QbnKoQNkyh2E4Zwmk1" +
  "mXvD6TOmoici7sV7Lc6YED+1AzQ4teBMIxAigwIfgRsXkzzJKx3twR8WWGgIRXlJ/ZVKPZWcTh4Mw8Ggxbl62IYEQgOlt4OGxaniiA0o+nWXYV" +
  "G0d60Y27BW21JtMlUu0iMCnL8jwsW958WUyNspBU0BuGaCqIzWwcBbIA7GQHiBna5ZQYs2umRIjJssFb/FPQEiyi9d0+o+BuX1toYAQtwbAktg" +
  "IfxomaawFOjfNheYWm55eTG52LGRAkRP8h++4PpOo54sdOWhxkQx1mIgOpXEvT+MeXbmUTrLT4hyEAQGJp0IVUao7Up0aZnXBFus4kkCgwuDMM" +
  "DyOZswDM6DLUJDuzaf5UVw7GNChAwZIg3FQQwTIN8wAdm3OaEI2XbwvKm4VRimCWHhT0gbk4K702VpSW7KbA6xkkvwlKlUAsXrH0KJfn1kiSlr" +
  "CjLwzAgDvJykYokcGO5LxsYiArabifgIAbDgYpkEwJrjNRA9Ix8xYW5B21MrqrrkPiMWxC+GO047Qr8q0rG5nwfBXAIYs7w2SMcRMIWTpK6NkC" +
  "DyMurENXbsVixV1QonuUMMti9AX+SRQU/wqiugmYBUhDGe4FUgvmwgdSo4yKVxvoFnQzfuYKTCcQZjQjLH1cCqrRMSBZyUOMabu8FgiSkEIuBP" +
  "7Y+hJYOeCEUseIC440zRLkkdYpr5HS2KzelOvmpcKsEg0x2hwInA7PTETnIT7hVKaitKCc4z4ujnJKOgDl7Viznpp6xRVJcFApHlMf33S6+S3Y" +
  "azj5IKgmJuUImZwlQoGkcywXbJxaUUGY6Yh7SngXkCajNWksk0fCBeSFKC4jHOnjpvEMubsX3XykbPwdYG6I2ZpY2FGlyFa9UZ14vMElCQ64ig" +
  "OeE9BXQNbujX3kA66UlQf6gA//zlZRRH9iJJAccSrdLW3+TL4SknWT8oR00/AJOf9VG1yDyLetx0ANq7NR2LM1YpKhBBkKb/TjIe4k25KHoYpz" +
  "Y6a800pZbefyY2am9SLAaCu69O6YCshkSQ==";
